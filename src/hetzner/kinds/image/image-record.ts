import { z } from 'zod'
import type { DiffRules } from '../../../plan/diff-records.ts'
import type { ClusterRecord, RecordKey } from '../../../plan/record.ts'
import type { Architecture } from '../../../spec/cluster-spec.ts'
import type { ApiImage } from '../../api/images.ts'
import { isBuilderName } from '../../builder-name.ts'
import { type HetznerCatalogue, roundCents } from '../../catalogue.ts'
import type { Labels } from '../../ownership.ts'

/** What a Talos snapshot is made from. */
export interface ImageWanted {
  readonly arch: Architecture
  /** With its v: `v1.9.0`. */
  readonly version: string
  /** 64 hex digits. */
  readonly schematic: string
}

export const imageSpecSchema = z.object({
  arch: z.enum(['amd64', 'arm64']),
  version: z.string(),
  schematic: z.string(),
})

/** A label holds at most 63 characters, a schematic id has 64; half of it is unique enough. */
const schematicDigits = 32

/** The labels by which a snapshot is found again. Snapshots are shared by clusters: no uid. */
export function imageLabels({ arch, version, schematic }: ImageWanted) {
  return { os: 'talos', arch, version, schematic: schematic.slice(0, schematicDigits) }
}

function imageName({ arch, version, schematic }: ImageWanted): string {
  return `talos-${version}-${arch}-${schematic.slice(0, 8)}`
}

export function imageKey(wanted: ImageWanted): RecordKey {
  return `image/${imageName(wanted)}`
}

export function desireImage({ arch, version, schematic }: ImageWanted): ClusterRecord {
  return {
    kind: 'image',
    name: imageName({ arch, version, schematic }),
    spec: { arch, version, schematic: schematic.slice(0, schematicDigits) },
    needs: [],
  }
}

/** How long a digest is as a label, which holds at most 63 characters. */
const digestDigits = 32

/** The label that says what a builder wrote: for people, and for the state of a cluster that uses it later. */
export function digestLabel(digest: string): { readonly digest: string } {
  return { digest: digest.slice(0, digestDigits) }
}

export interface SnapshotChoice {
  /** The smallest disk that it must fit on, in GB. */
  readonly maxDiskGb?: number | undefined
  /** The one that the state recorded: no other is taken for it, whatever its labels say. */
  readonly recorded?: number | undefined
}

/**
 * The snapshot to create servers from: the recorded one, where there is a record. Else the newest with these
 * labels that an image builder's server was copied into: labels alone can be put on anything.
 */
export function findSnapshot(
  snapshots: readonly ApiImage[],
  wanted: ImageWanted,
  { maxDiskGb = Number.POSITIVE_INFINITY, recorded }: SnapshotChoice = {},
): ApiImage | undefined {
  const usable = snapshots.filter((image) => isUsable(image) && image.disk_size <= maxDiskGb)
  if (recorded !== undefined) return usable.find(({ id }) => id === recorded)
  return usable
    .filter((image) => isLabelled(image, wanted) && isBuilt(image, wanted))
    .sort((a, b) => Date.parse(b.created) - Date.parse(a.created) || b.id - a.id)[0]
}

/** Whether a snapshot says that it is what is wanted. */
export function isLabelled({ labels }: ApiImage, wanted: ImageWanted): boolean {
  return hasLabels(labels, Object.entries(imageLabels(wanted)))
}

function isBuilt({ created_from }: ApiImage, { arch }: ImageWanted): boolean {
  return isBuilderName(created_from?.name ?? '', arch)
}

export function liveImage(
  image: ApiImage,
  desired: ClusterRecord,
  catalogue: HetznerCatalogue,
): ClusterRecord {
  return {
    ...desired,
    ...(image.image_size
      ? { monthlyCost: roundCents(image.image_size * catalogue.snapshotPricePerGb) }
      : {}),
    facts: {
      id: image.id,
      diskGb: image.disk_size,
      origin: image.created_from?.name ?? null,
      created: image.created,
      digest: image.labels['digest'] ?? null,
    },
  }
}

export const imageRules: DiffRules = {
  create: () => ({ risk: 'additive', reason: 'no snapshot of this version and schematic exists' }),
  delete: () => ({ risk: 'live', reason: 'no cluster uses it' }),
  update: () => ({ action: 'replace', risk: 'additive', reason: 'a snapshot cannot be changed' }),
}

function isUsable({ type, status, deprecated, deprecation, deleted }: ApiImage): boolean {
  return type === 'snapshot' && status === 'available' && !deprecated && !deprecation && !deleted
}

function hasLabels(labels: Labels, wanted: readonly (readonly [string, string])[]): boolean {
  return wanted.every(([key, value]) => labels[key] === value)
}
