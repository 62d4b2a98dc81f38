import { timestampMs } from '@bufbuild/protobuf/wkt'
import { formatBytes } from '../../lib/format-bytes.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import { hasLifecycleApi } from '../../talos/has-lifecycle-api.ts'
import { type TalosReport, tableOf } from './report.ts'

/** Where images of Kubernetes's containerd are: those of Talos's services, or of pods. */
export type ShownStore = 'services' | 'pods'

/** The images that a node holds. */
export async function imagesReport(api: TalosApi, store: ShownStore): Promise<TalosReport> {
  const found = []
  for await (const { name, digest, size, createdAt } of await listed(api, store)) {
    const created = createdAt ? new Date(timestampMs(createdAt)).toISOString() : ''
    found.push({ name, digest, size: Number(size), created })
  }
  return tableOf(
    found.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    [
      ['IMAGE', (each) => each.name],
      ['DIGEST', (each) => each.digest],
      ['SIZE', (each) => formatBytes(each.size)],
      ['CREATED', (each) => each.created],
    ],
    (each) => each,
  )
}

/** Pulls an image; returns by which name the node knows it. */
export async function pullReport(
  api: TalosApi,
  reference: string,
  store: ShownStore,
): Promise<TalosReport> {
  let name = reference
  if (await hasImageService(api)) {
    for await (const { response } of api.image.pull(reference, store)) {
      if (response.case === 'name') name = response.value
    }
  } else {
    await api.machine.imagePull(reference, store)
  }
  return { columns: ['IMAGE'], rows: [[name]], data: { image: name } }
}

async function listed(api: TalosApi, store: ShownStore) {
  return (await hasImageService(api)) ? api.image.list(store) : api.machine.imageList(store)
}

async function hasImageService({ machine }: TalosApi): Promise<boolean> {
  const { version } = await machine.version()
  return hasLifecycleApi(version?.tag ?? '')
}
