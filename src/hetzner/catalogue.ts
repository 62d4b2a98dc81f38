import type { Architecture } from '../spec/cluster-spec.ts'
import type { ApiLoadBalancerType } from './api/load-balancer-types.ts'
import type { ApiLocation } from './api/locations.ts'
import type { ApiPricing } from './api/pricing.ts'
import type { ApiServerType } from './api/server-types.ts'

/** A place where a server type is sold. */
interface TypeLocation {
  readonly name: string
  /** Only a hint: types that were shown as sold out could be had, and the other way round. */
  readonly available: boolean
  /** Milliseconds since the epoch; not orderable from then on. */
  readonly unavailableAfter: number | undefined
  /** Euro per month without tax. */
  readonly monthlyPrice: number | undefined
}

export interface CatalogueServerType {
  readonly name: string
  readonly arch: Architecture
  readonly cores: number
  readonly memoryGb: number
  readonly diskGb: number
  readonly dedicated: boolean
  readonly locations: readonly TypeLocation[]
}

/** What Hetzner sells now, and for how much. Prices are euro per month without tax. */
export interface HetznerCatalogue {
  readonly serverTypes: readonly CatalogueServerType[]
  readonly loadBalancerTypes: readonly {
    readonly name: string
    readonly prices: Readonly<Record<string, number>>
  }[]
  readonly locations: readonly { readonly name: string; readonly networkZone: string }[]
  /** Of one IPv4 address, by location. */
  readonly ipv4Prices: Readonly<Record<string, number>>
  /** Of one floating IP, by its type (`ipv4`, `ipv6`) and its home. */
  readonly floatingIpPrices: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly snapshotPricePerGb: number
  readonly volumePricePerGb: number
}

export function toCatalogue(parts: {
  readonly serverTypes: readonly ApiServerType[]
  readonly loadBalancerTypes: readonly ApiLoadBalancerType[]
  readonly locations: readonly ApiLocation[]
  readonly pricing: ApiPricing
}): HetznerCatalogue {
  const { pricing } = parts
  return {
    serverTypes: parts.serverTypes.map(toServerType),
    loadBalancerTypes: parts.loadBalancerTypes.map(({ name, prices }) => ({
      name,
      prices: toPrices(prices),
    })),
    locations: parts.locations.map(({ name, network_zone }) => ({
      name,
      networkZone: network_zone,
    })),
    ipv4Prices: addressPrices(pricing.primary_ips)['ipv4'] ?? {},
    floatingIpPrices: addressPrices(pricing.floating_ips),
    snapshotPricePerGb: pricing.image.price_per_gb_month,
    volumePricePerGb: pricing.volume.price_per_gb_month,
  }
}

export function findServerType(
  catalogue: HetznerCatalogue,
  name: string,
): CatalogueServerType | undefined {
  return catalogue.serverTypes.find((type) => type.name === name)
}

/** Euro per month of one server with or without its IPv4 address; undefined where it is not sold. */
export function serverPrice(
  catalogue: HetznerCatalogue,
  type: string,
  location: string,
  publicIpv4: boolean,
): number | undefined {
  const price = findServerType(catalogue, type)?.locations.find(
    ({ name }) => name === location,
  )?.monthlyPrice
  if (price === undefined) return undefined
  return roundCents(price + (publicIpv4 ? (catalogue.ipv4Prices[location] ?? 0) : 0))
}

/** Euro per month of a load balancer of this type; undefined where it is not sold. */
export function loadBalancerPrice(
  catalogue: HetznerCatalogue,
  type: string,
  location: string,
): number | undefined {
  const price = catalogue.loadBalancerTypes.find(({ name }) => name === type)?.prices[location]
  return price === undefined ? undefined : roundCents(price)
}

/** Hetzner quotes up to 16 decimals; bills, and people, know cents. */
export function roundCents(euro: number): number {
  return Math.round(euro * 100) / 100
}

function toServerType(type: ApiServerType): CatalogueServerType {
  const prices = toPrices(type.prices)
  // Answers before 2025-09-24 had no locations; the price list then says where a type is sold.
  const places = type.locations ?? Object.keys(prices).map((name) => ({ name, deprecation: null }))
  return {
    name: type.name,
    arch: type.architecture === 'arm' ? 'arm64' : 'amd64',
    cores: type.cores,
    memoryGb: type.memory,
    diskGb: type.disk,
    dedicated: type.cpu_type === 'dedicated',
    locations: places.map((place) => ({
      name: place.name,
      available: 'available' in place ? (place.available ?? true) : true,
      unavailableAfter: place.deprecation
        ? Date.parse(place.deprecation.unavailable_after)
        : undefined,
      monthlyPrice: prices[place.name],
    })),
  }
}

function addressPrices(
  list: ApiPricing['primary_ips'],
): Readonly<Record<string, Readonly<Record<string, number>>>> {
  return Object.fromEntries(
    (list ?? []).map(({ type, prices }) => [
      type,
      Object.fromEntries(prices.map(({ location, price_monthly }) => [location, price_monthly])),
    ]),
  )
}

function toPrices(prices: ApiServerType['prices']): Record<string, number> {
  return Object.fromEntries(
    prices.map(({ location, price_monthly }) => [location, Number(price_monthly.net)]),
  )
}
