import type { Architecture } from '../spec/cluster-spec.ts'
import { isRetired } from './alternatives.ts'
import type { HetznerCatalogue } from './catalogue.ts'

export interface BuilderCandidate {
  readonly type: string
  readonly location: string
  readonly diskGb: number
}

/** Enough to get past a sold-out type or place; more would only hammer the API. */
const mostCandidates = 5

/**
 * Types and places to build an image on, the best first: those shown as available, the smallest disk
 * (a snapshot fits only on disks as large as the one it was made on), the preferred location, the
 * lowest price.
 */
export function builderCandidates(
  catalogue: HetznerCatalogue,
  {
    arch,
    location: preferred,
    maxDiskGb = Number.POSITIVE_INFINITY,
  }: { readonly arch: Architecture; readonly location: string; readonly maxDiskGb?: number },
  now: number,
): BuilderCandidate[] {
  return catalogue.serverTypes
    .filter((type) => type.arch === arch && type.diskGb <= maxDiskGb)
    .flatMap((type) =>
      type.locations
        .filter((place) => !isRetired(place.unavailableAfter, now))
        .map((place) => ({ type: type.name, location: place.name, diskGb: type.diskGb, place })),
    )
    .sort(
      (a, b) =>
        Number(b.place.available) - Number(a.place.available) ||
        a.diskGb - b.diskGb ||
        Number(b.location === preferred) - Number(a.location === preferred) ||
        (a.place.monthlyPrice ?? 0) - (b.place.monthlyPrice ?? 0) ||
        a.type.localeCompare(b.type, 'en'),
    )
    .slice(0, mostCandidates)
    .map(({ type, location, diskGb }) => ({ type, location, diskGb }))
}
