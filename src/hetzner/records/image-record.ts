import { z } from 'zod'
import type { DiffRules } from '../../plan/diff-records.ts'
import type { ClusterRecord, RecordKey } from '../../plan/record.ts'
import type { Architecture } from '../../spec/cluster-spec.ts'
import type { ApiImage } from '../api/images.ts'
import { type HetznerCatalogue, roundCents } from '../catalogue.ts'
import type { Labels } from '../ownership.ts'

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

/** The newest snapshot that has these labels and can be used, on a disk of `maxDiskGb` too. */
export function findSnapshot(
  snapshots: readonly ApiImage[],
  wanted: ImageWanted,
  maxDiskGb = Number.POSITIVE_INFINITY,
): ApiImage | undefined {
  const labels = Object.entries(imageLabels(wanted))
  return snapshots
    .filter(
      (image) => isUsable(image) && hasLabels(image.labels, labels) && image.disk_size <= maxDiskGb,
    )
    .sort((a, b) => Date.parse(b.created) - Date.parse(a.created) || b.id - a.id)[0]
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
    facts: { id: image.id, diskGb: image.disk_size },
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
