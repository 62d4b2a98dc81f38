import type { World } from '../../world.ts'
import type { ServerRecord } from '../servers/server.ts'
import { serversOfSelector } from '../servers/servers-of-selector.ts'
import type { LoadBalancerRecord, LoadBalancerTarget } from './load-balancer.ts'

/** The servers that a target stands for; those of a selector that do not qualify are left out silently. */
export function serversOfTarget(
  world: World,
  balancer: LoadBalancerRecord,
  target: LoadBalancerTarget,
): ServerRecord[] {
  if (target.type === 'ip') return []
  if (target.type === 'server') {
    const server = world.hetzner.servers.get(target.server)
    return server === undefined ? [] : [server]
  }
  return serversOfSelector(world, target.selector, target.since).filter((server) =>
    qualifies(balancer, server, target.usePrivateIp),
  )
}

/** Whether a load balancer can reach a server: in a network of both, or by a public IPv4. */
export function qualifies(
  balancer: LoadBalancerRecord,
  server: ServerRecord,
  usePrivateIp: boolean,
): boolean {
  if (!usePrivateIp) return server.ipv4 !== null
  const networks = balancer.privateNets.map((net) => net.network)
  return server.privateNets.some((net) => networks.includes(net.network))
}
