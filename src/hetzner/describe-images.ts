import type { InventoryImage } from '../plan/inventory.ts'
import { type ClusterRecord, recordKey } from '../plan/record.ts'
import type { ApiImage } from './api/images.ts'
import { imageSpecSchema, isLabelled } from './kinds/image/image-record.ts'

export interface ImagesInUse {
  /** Those that servers are about to be created from: as desired, and, where there are, as snapshots. */
  readonly desired: readonly ClusterRecord[]
  readonly live: readonly ClusterRecord[]
  readonly snapshots: readonly ApiImage[]
  readonly knownImages: ReadonlyMap<string, InventoryImage>
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Which snapshots new servers are created from, where these come from and how old they are; and which are not used. Pure. */
export function describeImages({
  desired,
  live,
  snapshots,
  knownImages,
  now,
}: ImagesInUse): string[] {
  return desired.flatMap((image) => {
    const key = recordKey(image)
    const found = live.find((one) => recordKey(one) === key)
    const used = found?.facts?.['id']
    const isRecorded = knownImages.has(key)
    const lookalikes = snapshots.filter(
      (one) => one.id !== used && isLabelled(one, imageSpecSchema.parse(image.spec)),
    )
    return [
      ...(found ? [describeUse(found, { now, known: knownImages.get(key) })] : []),
      ...(isRecorded || found === undefined
        ? lookalikes.map((one) => describeLookalike(one, image, now))
        : []),
    ]
  })
}

function describeUse(
  { name, facts = {} }: ClusterRecord,
  { now, known }: { readonly now: number; readonly known: InventoryImage | undefined },
): string {
  const digest = known?.digest ?? facts['digest']
  const parts = [
    `built on the server ${String(facts['origin'])}`,
    ageOf(String(facts['created']), now),
    ...(typeof digest === 'string' ? [`sha256 ${digest.slice(0, 12)}`] : []),
    ...(known ? [] : ['not recorded by this cluster yet: it is from now on']),
  ]
  return `image ${name} is the snapshot ${String(facts['id'])} (${parts.join(', ')})`
}

function describeLookalike(
  { id, created, created_from }: ApiImage,
  { name }: ClusterRecord,
  now: number,
): string {
  const origin = created_from?.name ?? 'an unknown server'
  return `the snapshot ${id} (made from ${origin}, ${ageOf(created, now)}) carries the labels of ${name} and is not used`
}

function ageOf(created: string, now: number): string {
  const hours = Math.floor((now - Date.parse(created)) / 3_600_000)
  if (hours < 1) return 'less than an hour old'
  return hours < 48 ? `${hours} hours old` : `${Math.floor(hours / 24)} days old`
}
