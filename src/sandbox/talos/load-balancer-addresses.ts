import { serversOfSelector } from '../hetzner/servers/servers-of-selector.ts'
import type { World } from '../world.ts'

/** Where a load balancer of the project forwards to a port of a server. */
export interface ForwardedAddress {
  readonly address: string
  readonly port: number
}

/** The public load balancer addresses from which a connection reaches this port of one of these servers. */
export function loadBalancerAddresses(
  world: World,
  serverIds: readonly number[],
  port: number,
): ForwardedAddress[] {
  return [...world.hetzner.loadBalancers.values()]
    .filter(({ publicEnabled }) => publicEnabled)
    .filter(({ targets }) =>
      targets.some((target) => {
        if (target.type === 'server') return serverIds.includes(target.server)
        if (target.type === 'ip') return false
        const found = serversOfSelector(world, target.selector, target.since)
        return found.some(({ id }) => serverIds.includes(id))
      }),
    )
    .flatMap(({ ipv4, services }) =>
      services
        .filter(({ destinationPort }) => destinationPort === port)
        .map(({ listenPort }) => ({ address: ipv4, port: listenPort })),
    )
}
