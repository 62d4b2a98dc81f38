import { orderability, type ServerTypeCatalogue } from '../spec/tables/server-types.ts'
import { findServerType, type HetznerCatalogue } from './catalogue.ts'
import type { Orderable } from './guard-orders.ts'

/**
 * Whether types can be ordered at `now` (milliseconds since the epoch), by the live catalogue: the
 * rules of the spec, on today's facts. What is shown as sold out can be ordered: that is only a hint.
 */
export function orderableFrom(catalogue: HetznerCatalogue, now: number): Orderable {
  const types = toServerTypeCatalogue(catalogue, now)
  return (name, location) => {
    const arch = findServerType(catalogue, name)?.arch ?? 'amd64'
    const answer = orderability(name, location, arch, types)
    return answer.orderable ? answer : { ...answer, reason: `${name} ${answer.reason}` }
  }
}

/** The live catalogue as the spec's checks want it. */
function toServerTypeCatalogue(
  { serverTypes }: HetznerCatalogue,
  now: number,
): ServerTypeCatalogue {
  return {
    asOf: toDay(now),
    source: 'live',
    types: serverTypes.map(({ name, arch, cores, memoryGb, diskGb, dedicated, locations }) => ({
      name,
      architecture: arch,
      cores,
      memoryGb,
      diskGb,
      cpu: dedicated ? 'dedicated' : 'shared',
      locations: locations.map((place) => ({
        name: place.name,
        retiredOn: place.unavailableAfter === undefined ? undefined : toDay(place.unavailableAfter),
        monthlyEur: place.monthlyPrice,
      })),
    })),
  }
}

function toDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}
