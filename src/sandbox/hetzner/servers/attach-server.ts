import type { World } from '../../world.ts'
import { limitExceeded, refused } from '../api/api-error.ts'
import { findRecord } from '../api/find-record.ts'
import { locationNamed } from '../catalogue/locations.ts'
import { planAddress } from '../networks/address-plan.ts'
import type { PrivateNet, ServerRecord } from './server.ts'
import type { ServerActionPlan } from './server-action.ts'
import { synchronizeMachine } from './synchronize-machine.ts'

const maxNetworks = 3
const maxMembers = 100

/**
 * Checks an attachment and reserves its address; the plan's action makes it real. 404 and 422 as
 * Hetzner answers: unknown network, attached already, no subnet in the zone, address taken.
 */
export function attachment(
  world: World,
  server: ServerRecord,
  networkId: number,
  wanted: {
    ip?: string | undefined
    ipRange?: string | undefined
    aliasIps?: string[] | undefined
  },
): ServerActionPlan {
  const { hetzner } = world
  const network = findRecord(hetzner.networks, networkId, 'network')
  const nets = [...server.privateNets, ...server.attaching]
  if (nets.some((attached) => attached.network === networkId)) {
    throw refused('server_already_attached', 'server is already attached to network')
  }
  if (nets.length >= maxNetworks) throw limitExceeded('network', 'network_limit')
  if (countMembers(world, networkId) >= maxMembers) {
    throw limitExceeded('attached server', 'network_member_limit')
  }
  const zone = locationNamed(server.location).network_zone
  const net: PrivateNet = {
    network: networkId,
    ip: planAddress(hetzner, network, zone, wanted),
    aliasIps: wanted.aliasIps ?? [],
    macAddress: macAddress(server.id, networkId),
  }
  server.attaching.push(net)
  const settle = () => {
    server.attaching = server.attaching.filter((other) => other !== net)
  }
  return {
    command: 'attach_to_network',
    latency: 'attach-to-network',
    besides: [{ id: networkId, type: 'network' }],
    run: () => {
      settle()
      if (!hetzner.networks.has(networkId)) return
      server.privateNets.push(net)
      synchronizeMachine(world, server)
    },
    fail: settle,
  }
}

export function detach(world: World, server: ServerRecord, networkId: number): void {
  server.privateNets = server.privateNets.filter((net) => net.network !== networkId)
  synchronizeMachine(world, server)
}

function countMembers(world: World, networkId: number): number {
  return [...world.hetzner.servers.values()].filter(({ privateNets }) =>
    privateNets.some((net) => net.network === networkId),
  ).length
}

function macAddress(serverId: number, networkId: number): string {
  const hex = ((serverId * 31 + networkId) % 2 ** 24).toString(16).padStart(6, '0')
  return `86:00:00:${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4)}`
}
