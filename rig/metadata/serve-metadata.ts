import { stringify } from 'yaml'
import type { Machine } from '../../src/sandbox/machine.ts'
import { type HttpAnswer, serveHttp } from '../../src/sandbox/serve-http.ts'
import type { World } from '../../src/sandbox/world.ts'
import { rigAddresses } from '../network/rig-addresses.ts'

/** Hetzner's metadata service: answers each server with what is its own, known by the address it asks from. */
export function serveMetadata(world: World): Promise<{ url: string }> {
  return serveHttp(world, {
    name: 'metadata',
    address: rigAddresses.metadata,
    port: 80,
    answer: ({ url, remoteAddress }) => {
      const machine = [...world.machines.values()].find(
        ({ publicIp, privateIps }) =>
          publicIp === remoteAddress || privateIps.includes(remoteAddress),
      )
      return machine === undefined ? notFound : answer(world, machine, url.pathname)
    },
  })
}

const notFound: HttpAnswer = { status: 404, body: 'not found\n' }

function answer(world: World, machine: Machine, path: string): HttpAnswer {
  const [, wanted = ''] = /^\/hetzner\/v1\/(.+?)\/?$/.exec(path) ?? []
  const values = metadataOf(world, machine)
  if (wanted === 'metadata') return text(stringify(values))
  if (wanted === 'userdata')
    return machine.userData === undefined ? notFound : text(machine.userData)
  const value = new Map(Object.entries(values)).get(wanted.replace(/^metadata\//, ''))
  if (value === undefined) return notFound
  return text(typeof value === 'object' ? stringify(value) : `${value}`)
}

function metadataOf(world: World, machine: Machine) {
  const server = world.hetzner.servers.get(machine.serverId)
  return {
    'availability-zone': `${machine.location}-dc1`,
    hostname: machine.name,
    'instance-id': machine.serverId,
    'local-ipv4': '',
    'public-ipv4': machine.publicIp ?? '',
    'public-keys': [...machine.authorizedKeys],
    region: machine.location,
    'private-networks': (server?.privateNets ?? []).map((net, index) => ({
      ip: net.ip,
      alias_ips: [...net.aliasIps],
      interface_num: index + 1,
      mac_address: net.macAddress,
      network_id: net.network,
      network_name: world.hetzner.networks.get(net.network)?.name ?? '',
      network: world.hetzner.networks.get(net.network)?.ipRange ?? '',
    })),
  }
}

function text(body: string): HttpAnswer {
  return { status: 200, headers: { 'Content-Type': 'text/plain' }, body }
}
