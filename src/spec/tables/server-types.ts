import type { Architecture } from '../cluster-spec.ts'

/** Where a server type is sold; `retiredOn` is the day (`2026-01-01`) from which it is not any more. */
export interface ServerTypeLocation {
  readonly name: string
  readonly retiredOn?: string | undefined
  /** Net price of a month in euro, where it is known. */
  readonly monthlyEur?: number | undefined
}

export interface ServerType {
  readonly name: string
  readonly architecture: Architecture
  readonly cores: number
  readonly memoryGb: number
  readonly diskGb: number
  readonly cpu: 'shared' | 'dedicated'
  readonly locations: readonly ServerTypeLocation[]
}

/** What Hetzner sells, at one time. The live API's answer overrules the built-in snapshot. */
export interface ServerTypeCatalogue {
  /** The day it speaks of, `2026-09-08`: what retires later can be ordered still. */
  readonly asOf: string
  readonly source: 'built-in' | 'live'
  readonly types: readonly ServerType[]
}

export type Orderability =
  | { readonly orderable: true }
  | {
      readonly orderable: false
      /** Half a sentence: `cannot be ordered in hel1 any more (since 2026-01-01)`. */
      readonly reason: string
      /** The orderable type that comes nearest; undefined where there is none. */
      readonly instead: string | undefined
    }

export function findServerType(
  name: string,
  catalogue: ServerTypeCatalogue,
): ServerType | undefined {
  return catalogue.types.find((type) => type.name === name)
}

/**
 * Whether a new server of this type can be ordered in a location, as far as the catalogue knows
 * (capacity is another matter: only an order proves it). A running server of a retired type stays.
 */
export function orderability(
  typeName: string,
  location: string,
  arch: Architecture,
  catalogue: ServerTypeCatalogue,
): Orderability {
  const type = findServerType(typeName, catalogue)
  if (type === undefined) {
    return { orderable: false, reason: 'is not a server type that Hetzner has', instead: undefined }
  }
  if (type.architecture !== arch) {
    return {
      orderable: false,
      reason: `has the architecture ${type.architecture}, not ${arch}`,
      instead: nearestType({ ...type, architecture: arch }, location, catalogue)?.name,
    }
  }
  const sold = type.locations.find(({ name }) => name === location)
  if (sold !== undefined && isOnSale(sold, catalogue)) return { orderable: true }
  return {
    orderable: false,
    reason:
      sold === undefined
        ? `is not sold in ${location}`
        : `cannot be ordered in ${location} any more (since ${sold.retiredOn})`,
    instead: insteadOf(type, location, catalogue)?.name,
  }
}

/** The type that Hetzner named as its follower (`cpx21` → `cpx22`), else the nearest by size. */
function insteadOf(
  type: ServerType,
  location: string,
  catalogue: ServerTypeCatalogue,
): ServerType | undefined {
  return successor(type, location, catalogue) ?? nearestType(type, location, catalogue)
}

/** Names are line, size and generation: `cpx` `2` `1`. The newest generation that is sold there. */
function successor(
  type: ServerType,
  location: string,
  catalogue: ServerTypeCatalogue,
): ServerType | undefined {
  const generation = /\d$/.exec(type.name)?.[0]
  if (generation === undefined) return undefined
  const stem = type.name.slice(0, -1)
  return catalogue.types
    .filter(
      (other) =>
        other.name.slice(0, -1) === stem &&
        other.name > type.name &&
        other.architecture === type.architecture &&
        isSoldIn(other, location, catalogue),
    )
    .sort((a, b) => b.name.localeCompare(a.name, 'en'))[0]
}

/** The smallest and cheapest one of the same kind with at least as many cores and as much memory. */
function nearestType(
  wanted: ServerType,
  location: string,
  catalogue: ServerTypeCatalogue,
): ServerType | undefined {
  return catalogue.types
    .filter(
      (other) =>
        other.architecture === wanted.architecture &&
        other.cpu === wanted.cpu &&
        other.cores >= wanted.cores &&
        other.memoryGb >= wanted.memoryGb &&
        isSoldIn(other, location, catalogue),
    )
    .sort(
      (a, b) =>
        a.cores - b.cores ||
        a.memoryGb - b.memoryGb ||
        priceIn(a, location) - priceIn(b, location) ||
        a.name.localeCompare(b.name, 'en'),
    )[0]
}

function isSoldIn(type: ServerType, location: string, catalogue: ServerTypeCatalogue): boolean {
  return type.locations.some((sold) => sold.name === location && isOnSale(sold, catalogue))
}

function isOnSale({ retiredOn }: ServerTypeLocation, { asOf }: ServerTypeCatalogue): boolean {
  return retiredOn === undefined || retiredOn > asOf
}

function priceIn(type: ServerType, location: string): number {
  return type.locations.find(({ name }) => name === location)?.monthlyEur ?? Number.MAX_SAFE_INTEGER
}
