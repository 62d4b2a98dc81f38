import { ClusterError } from '../lib/cluster-error.ts'
import { waitFor } from '../lib/wait-for.ts'
import { isHetznerError } from './api/hetzner-api-error.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import type { ApiImage } from './api/images.ts'
import {
  digestLabel,
  findSnapshot,
  type ImageWanted,
  imageLabels,
} from './kinds/image/image-record.ts'
import { switchOff } from './kinds/server/server-power.ts'
import type { Builder } from './snapshot-builder.ts'

/** A disk of 40 GB takes minutes; a busy day longer. */
const snapshotLimitMs = 1_800_000

/**
 * The newest usable snapshot of a builder's for this version, schematic and architecture that fits on a disk
 * of `maxDiskGb`; undefined if there is none.
 */
export async function findUsableSnapshot(
  client: HetznerClient,
  wanted: ImageWanted,
  maxDiskGb?: number,
): Promise<ApiImage | undefined> {
  const selector = Object.entries(imageLabels(wanted)).map(([key, value]) => `${key}=${value}`)
  const images = await client.images.list({ type: 'snapshot', label_selector: selector.join(',') })
  return findSnapshot(images, wanted, { maxDiskGb })
}

/** What a builder's disk holds. */
export interface SnapshotContent {
  readonly wanted: ImageWanted
  /** SHA-256 of the image as it was downloaded. */
  readonly digest: string
}

/**
 * Switches the builder off and copies its disk into a snapshot with the labels by which it is found
 * again. Resolves when the snapshot can be used.
 */
export async function snapshotBuilder(
  client: HetznerClient,
  builder: Builder,
  { wanted, digest }: SnapshotContent,
  onProgress: (fraction: number) => void = () => {},
): Promise<ApiImage> {
  await switchOff(client, { id: builder.serverId, name: builder.serverName })
  const imageId = await createImage(client, builder, { wanted, digest }, onProgress)
  const image = await client.images.get(imageId)
  if (image.status === 'available') return image
  throw new ClusterError('image-build-failed', `the new snapshot is ${image.status}`, {
    operation: 'create snapshot',
    target: `image ${imageId}`,
    hint: 'Run again: it will be rebuilt.',
  })
}

async function createImage(
  client: HetznerClient,
  { serverId, serverName }: Builder,
  { wanted, digest }: SnapshotContent,
  onProgress: (fraction: number) => void,
): Promise<number> {
  const labels = { ...imageLabels(wanted), ...digestLabel(digest) }
  const description = `Talos ${wanted.version} ${wanted.arch} ${labels.schematic.slice(0, 8)}`
  try {
    const { imageId, action } = await client.servers.createImage(serverId, { description, labels })
    await client.waitForActions([action], {
      operation: 'create snapshot',
      target: serverName,
      withinMs: snapshotLimitMs,
      onProgress,
    })
    return imageId
  } catch (error) {
    if (!isHetznerError(error) || !error.mayHaveTakenEffect) throw error
    return findBegun(client, serverId, error)
  }
}

/** The answer was lost: a snapshot of this server may be on its way all the same. */
async function findBegun(client: HetznerClient, serverId: number, lost: unknown): Promise<number> {
  return waitFor(
    'the snapshot to be done',
    async () => {
      const images = await client.images.list({ type: 'snapshot', label_selector: 'os=talos' })
      const image = images.find(({ created_from }) => created_from?.id === serverId)
      if (!image) throw lost
      return image.status === 'creating'
        ? { pending: 'Hetzner is still copying the disk' }
        : { done: image.id }
    },
    {
      clock: client.clock,
      signal: client.signal,
      everyMs: 5_000,
      withinMs: snapshotLimitMs,
    },
  )
}
