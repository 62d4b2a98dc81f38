import type { World } from '../../world.ts'
import { serversOfSelector } from '../servers/servers-of-selector.ts'
import type { FirewallRecord, FirewallUse } from './firewall.ts'

/** The firewalls that apply to a server, directly or by a label selector that has noticed it. */
export function firewallsOfServer(world: World, serverId: number): FirewallRecord[] {
  return [...world.hetzner.firewalls.values()].filter((firewall) =>
    firewall.uses.some((use) => serversOfUse(world, use).includes(serverId)),
  )
}

/** Ids of the servers that one application of a firewall reaches: only those with a public side. */
export function serversOfUse(world: World, use: FirewallUse): number[] {
  if (use.type === 'server') return [use.server]
  return serversOfSelector(world, use.selector, use.since)
    .filter((server) => server.ipv4 !== null || server.ipv6 !== null)
    .map((server) => server.id)
}
