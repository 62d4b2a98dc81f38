import { locations } from './locations.ts'
import { monthlyPrice } from './prices.ts'

export interface LoadBalancerType {
  readonly id: number
  readonly name: string
  readonly connections: number
  readonly services: number
  readonly targets: number
  readonly certificates: number
  readonly cents: number
}

export const loadBalancerTypes: readonly LoadBalancerType[] = [
  {
    id: 1,
    name: 'lb11',
    connections: 10_000,
    services: 5,
    targets: 25,
    certificates: 10,
    cents: 749,
  },
  {
    id: 2,
    name: 'lb21',
    connections: 20_000,
    services: 15,
    targets: 75,
    certificates: 25,
    cents: 2089,
  },
  {
    id: 3,
    name: 'lb31',
    connections: 40_000,
    services: 30,
    targets: 150,
    certificates: 50,
    cents: 4179,
  },
]

/** By name or id. */
export function findLoadBalancerType(nameOrId: string | number): LoadBalancerType | undefined {
  return loadBalancerTypes.find(
    ({ name, id }) => name === nameOrId || String(id) === String(nameOrId),
  )
}

/** A type that a record names; records name only known ones. */
export function loadBalancerTypeNamed(name: string): LoadBalancerType {
  const found = findLoadBalancerType(name)
  if (found === undefined) throw new Error(`no load balancer type ${name}`)
  return found
}

export function renderLoadBalancerType(type: LoadBalancerType): Record<string, unknown> {
  return {
    id: type.id,
    name: type.name,
    description: type.name.toUpperCase(),
    max_connections: type.connections,
    max_services: type.services,
    max_targets: type.targets,
    max_assigned_certificates: type.certificates,
    deprecated: null,
    deprecation: null,
    prices: renderLoadBalancerPrices(type),
  }
}

export function renderLoadBalancerPrices(type: LoadBalancerType): unknown[] {
  return locations.map((location) =>
    monthlyPrice(location.name, type.cents, location.network_zone === 'eu-central' ? 20 : 1),
  )
}
