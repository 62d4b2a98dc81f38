import type { World } from '../../world.ts'
import { locationNamed } from '../catalogue/locations.ts'
import { renderServerType, serverTypeNamed } from '../catalogue/server-types.ts'
import { firewallsOfServer } from '../firewalls/firewalls-of-server.ts'
import { renderImage } from '../images/image-routes.ts'
import { formatTime } from '../labels.ts'
import { serversOfTarget } from '../load-balancers/servers-of-target.ts'
import { renderPlacementGroup } from '../placement-groups/placement-group-routes.ts'
import type { ServerRecord } from './server.ts'

export function renderServer(world: World, server: ServerRecord): Record<string, unknown> {
  const { hetzner } = world
  const machine = world.machines.get(server.id)
  const image = server.image === null ? undefined : hetzner.images.get(server.image)
  const group =
    server.placementGroup === null ? undefined : hetzner.placementGroups.get(server.placementGroup)
  return {
    id: server.id,
    name: server.name,
    status: serverStatus(world, server),
    created: formatTime(server.created),
    public_net: renderPublicNet(world, server),
    private_net: server.privateNets.map((net) => ({
      network: net.network,
      ip: net.ip,
      alias_ips: net.aliasIps,
      mac_address: net.macAddress,
    })),
    server_type: renderServerType(serverTypeNamed(server.type)),
    location: locationNamed(server.location),
    image: image === undefined ? null : renderImage(image),
    iso: null,
    rescue_enabled: isRescueArmed(world, server),
    locked: server.lockedBy !== undefined,
    backup_window: server.backupWindow,
    outgoing_traffic: machine?.power === 'on' ? 123_456 : null,
    ingoing_traffic: machine?.power === 'on' ? 123_456 : null,
    included_traffic: 20 * 2 ** 40,
    protection: { delete: server.deleteProtected, rebuild: server.rebuildProtected },
    labels: server.labels,
    volumes: idsOf(hetzner.volumes, (volume) => volume.server === server.id),
    load_balancers: idsOf(hetzner.loadBalancers, (balancer) =>
      balancer.targets.some((target) =>
        serversOfTarget(world, balancer, target).some(({ id }) => id === server.id),
      ),
    ),
    primary_disk_size: server.primaryDiskSize,
    placement_group: group === undefined ? null : renderPlacementGroup(hetzner, group),
  }
}

/** What it is doing; when it does nothing, whether its machine is on. */
export function serverStatus(world: World, server: ServerRecord): string {
  if (server.transition !== undefined) return server.transition
  return world.machine(server.id)?.power === 'on' ? 'running' : 'off'
}

function isRescueArmed(world: World, server: ServerRecord): boolean {
  const armed = world.machines.get(server.id)?.armedRescue
  return armed !== undefined && world.clock.now() < armed.expiresAt
}

function renderPublicNet(world: World, server: ServerRecord): Record<string, unknown> {
  const { hetzner } = world
  const ipv4 = server.ipv4 === null ? undefined : hetzner.primaryIps.get(server.ipv4)
  const ipv6 = server.ipv6 === null ? undefined : hetzner.primaryIps.get(server.ipv6)
  return {
    ipv4:
      ipv4 === undefined
        ? null
        : {
            id: ipv4.id,
            ip: ipv4.ip,
            blocked: false,
            dns_ptr: ipv4.dnsPtrs[ipv4.ip] ?? '',
          },
    ipv6:
      ipv6 === undefined
        ? null
        : {
            id: ipv6.id,
            ip: ipv6.ip,
            blocked: false,
            dns_ptr: Object.entries(ipv6.dnsPtrs).map(([ip, dns_ptr]) => ({ ip, dns_ptr })),
          },
    floating_ips: idsOf(hetzner.floatingIps, (ip) => ip.server === server.id),
    firewalls: firewallsOfServer(world, server.id).map(({ id }) => ({ id, status: 'applied' })),
  }
}

function idsOf<T extends { readonly id: number }>(
  records: ReadonlyMap<number, T>,
  isWanted: (record: T) => boolean,
): number[] {
  return [...records.values()].filter(isWanted).map(({ id }) => id)
}
