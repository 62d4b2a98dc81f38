import type { CatalogueServerType, HetznerCatalogue } from './catalogue.ts'

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
