import type { Orderable } from '../plan/guard-plan.ts'
import { type CatalogueServerType, findServerType, type HetznerCatalogue } from './catalogue.ts'

/** Whether types can be ordered at `now` (milliseconds since the epoch), by the live catalogue. */
export function orderableFrom(catalogue: HetznerCatalogue, now: number): Orderable {
  return (typeName, location) => {
    const type = findServerType(catalogue, typeName)
    if (!type) {
      return { orderable: false, reason: `there is no server type ${typeName}`, instead: undefined }
    }
    const place = type.locations.find(({ name }) => name === location)
    const instead = alternatives(catalogue, type, location, now)[0]
    if (!place) {
      return { orderable: false, reason: `${typeName} is not sold in ${location}`, instead }
    }
    if (isRetired(place.unavailableAfter, now)) {
      return {
        orderable: false,
        reason: `${typeName} can no longer be ordered in ${location}`,
        instead,
      }
    }
    return { orderable: true }
  }
}

/**
 * Types that can stand in for `type` in `location`: same architecture and kind of processor, at least
 * as much of everything; shown as available first, then the cheapest.
 */
export function alternatives(
  catalogue: HetznerCatalogue,
  type: CatalogueServerType,
  location: string,
  now: number,
): string[] {
  return catalogue.serverTypes
    .filter((other) => other.name !== type.name && isAsGood(other, type))
    .flatMap((other) => {
      const place = other.locations.find(({ name }) => name === location)
      return place && !isRetired(place.unavailableAfter, now) ? [{ name: other.name, place }] : []
    })
    .sort(
      (a, b) =>
        Number(b.place.available) - Number(a.place.available) ||
        (a.place.monthlyPrice ?? 0) - (b.place.monthlyPrice ?? 0),
    )
    .map(({ name }) => name)
}

/** Other places of the same network zone where this type is shown as available. */
export function otherLocations(
  catalogue: HetznerCatalogue,
  type: CatalogueServerType,
  location: string,
  now: number,
): string[] {
  const zoneOf = (name: string) =>
    catalogue.locations.find((place) => place.name === name)?.networkZone
  return type.locations
    .filter(
      (place) =>
        place.name !== location &&
        place.available &&
        !isRetired(place.unavailableAfter, now) &&
        zoneOf(place.name) === zoneOf(location),
    )
    .map(({ name }) => name)
}

export function isRetired(unavailableAfter: number | undefined, now: number): boolean {
  return unavailableAfter !== undefined && unavailableAfter <= now
}

function isAsGood(other: CatalogueServerType, type: CatalogueServerType): boolean {
  return (
    other.arch === type.arch &&
    other.dedicated === type.dedicated &&
    other.cores >= type.cores &&
    other.memoryGb >= type.memoryGb &&
    other.diskGb >= type.diskGb
  )
}
