import { locationNamed } from '../hetzner/catalogue/locations.ts'
import type {
  LoadBalancerRecord,
  LoadBalancerService,
} from '../hetzner/load-balancers/load-balancer.ts'
import { planAddress } from '../hetzner/networks/address-plan.ts'
import type { World } from '../world.ts'
import type { BalancerOrder, CloudHooks } from './cloud-hooks.ts'

/** The label by which the cloud controller manager finds the load balancer of a Service again. */
const serviceLabel = 'hcloud-ccm/service-uid'

/** Hetzner as the cluster's controllers reach it: the state of the world itself. */
export function worldCloud(world: World): CloudHooks {
  const { hetzner } = world
  const seen = new Set<number>()
  return {
    server: (serverId) => {
      const server = hetzner.servers.get(serverId)
      if (server === undefined) return undefined
      seen.add(serverId)
      return { serverType: server.type, location: server.location }
    },
    isGone: (serverId) => seen.has(serverId) && !hetzner.servers.has(serverId),
    createLoadBalancer: (order) => createLoadBalancer(world, order),
    deleteLoadBalancer: (serviceUid) => {
      const found = balancerOf(world, serviceUid)
      if (found !== undefined) hetzner.loadBalancers.delete(found.id)
    },
    createVolume: ({ name, sizeGb, location, labels }) => {
      const id = hetzner.nextId()
      world.judge.ownership.add(id)
      hetzner.volumes.set(id, {
        id,
        name,
        labels: { ...labels },
        created: hetzner.now(),
        status: 'available',
        server: null,
        location,
        size: sizeGb,
        format: 'ext4',
        deleteProtected: false,
      })
      return { id }
    },
    attachVolume: (volumeId, serverId) => {
      const volume = hetzner.volumes.get(volumeId)
      if (volume !== undefined && hetzner.servers.has(serverId)) volume.server = serverId
    },
    detachVolume: (volumeId) => {
      const volume = hetzner.volumes.get(volumeId)
      if (volume !== undefined) volume.server = null
    },
    deleteVolume: (volumeId) => {
      hetzner.volumes.delete(volumeId)
    },
  }
}

function balancerOf({ hetzner }: World, serviceUid: string): LoadBalancerRecord | undefined {
  return [...hetzner.loadBalancers.values()].find(
    ({ labels }) => labels[serviceLabel] === serviceUid,
  )
}

async function createLoadBalancer(world: World, order: BalancerOrder): Promise<{ ipv4: string }> {
  const existing = balancerOf(world, order.serviceUid)
  if (existing !== undefined) return { ipv4: existing.ipv4 }
  const named = [...world.hetzner.loadBalancers.values()].find(({ name }) => name === order.name)
  if (named !== undefined) return takeOver(named, order)
  await world.pause('create-load-balancer')
  const { hetzner } = world
  const ipv4 = await world.addresses.allocate()
  const id = hetzner.nextId()
  world.judge.ownership.add(id)
  const network = [...hetzner.networks.values()].find(
    (one) => one.name === order.network || String(one.id) === order.network,
  )
  const zone = locationNamed(order.location).network_zone
  const net =
    network === undefined
      ? undefined
      : { network: network.id, ip: planAddress(hetzner, network, zone, {}) }
  hetzner.loadBalancers.set(id, {
    id,
    name: order.name,
    labels: { [serviceLabel]: order.serviceUid },
    created: hetzner.now(),
    type: 'lb11',
    location: order.location,
    publicEnabled: true,
    ipv4,
    ipv6: `2001:db8:ffff:${(id % 65_536).toString(16)}::1`,
    primaryIpv4: undefined,
    primaryIpv6: undefined,
    dnsPtrs: {},
    privateNets: net === undefined ? [] : [net],
    attaching: [],
    deleteProtected: false,
    services: order.ports.map(toService),
    targets: order.serverIds.map((server) => ({
      type: 'server',
      server,
      usePrivateIp: net !== undefined,
      since: hetzner.now(),
    })),
    algorithm: 'round_robin',
  })
  return { ipv4 }
}

/** As the real controller does with a load balancer that has the name in the annotation, whoever created it. */
function takeOver(balancer: LoadBalancerRecord, order: BalancerOrder): { ipv4: string } {
  balancer.labels = { ...balancer.labels, [serviceLabel]: order.serviceUid }
  balancer.services = order.ports.map(toService)
  return { ipv4: balancer.ipv4 }
}

function toService({ port, nodePort }: BalancerOrder['ports'][number]): LoadBalancerService {
  return {
    protocol: 'tcp',
    listenPort: port,
    destinationPort: nodePort,
    proxyprotocol: false,
    healthCheck: { protocol: 'tcp', port: nodePort, interval: 15, timeout: 10, retries: 3 },
  }
}
