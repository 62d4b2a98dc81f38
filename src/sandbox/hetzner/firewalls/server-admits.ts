import ipaddr from 'ipaddr.js'
import type { World } from '../../world.ts'
import type { FirewallRule } from './firewall.ts'
import { firewallsOfServer } from './firewalls-of-server.ts'

/**
 * Whether a packet from outside reaches the public side of a server: with no firewall everything
 * does; with any, only what a rule of one of them lets in.
 */
export function serverAdmits(
  world: World,
  serverId: number,
  protocol: FirewallRule['protocol'],
  port: number,
  sourceAddress: string,
): boolean {
  const firewalls = firewallsOfServer(world, serverId)
  if (firewalls.length === 0) return true
  const source = ipaddr.process(sourceAddress)
  return firewalls
    .flatMap((firewall) => firewall.rules)
    .some(
      (rule) =>
        rule.direction === 'in' &&
        rule.protocol === protocol &&
        (rule.port === null || portMatches(rule.port, port)) &&
        rule.sourceIps.some((range) => rangeHas(range, source)),
    )
}

function portMatches(ports: string, port: number): boolean {
  if (ports === 'any') return true
  const [first, last = first] = ports.split('-').map(Number)
  return first !== undefined && last !== undefined && port >= first && port <= last
}

function rangeHas(range: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [network, prefix] = ipaddr.parseCIDR(range)
  if (network.kind() !== address.kind()) return false
  return address.match(network, prefix)
}
