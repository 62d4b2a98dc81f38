import type { HetznerState } from '../hetzner-state.ts'
import { formatTime } from '../labels.ts'
import { gatewayOf } from './address-plan.ts'
import type { NetworkRecord, Subnet } from './network.ts'

export function renderNetwork(
  state: HetznerState,
  network: NetworkRecord,
): Record<string, unknown> {
  const isMember = (member: { privateNets: readonly { readonly network: number }[] }) =>
    member.privateNets.some((net) => net.network === network.id)
  return {
    id: network.id,
    name: network.name,
    ip_range: network.ipRange,
    subnets: network.subnets.map((subnet) => renderSubnet(network, subnet)),
    routes: network.routes.map(({ destination, gateway }) => ({ destination, gateway })),
    servers: [...state.servers.values()].filter(isMember).map((server) => server.id),
    load_balancers: [...state.loadBalancers.values()].filter(isMember).map(({ id }) => id),
    protection: { delete: network.deleteProtected },
    labels: network.labels,
    created: formatTime(network.created),
    expose_routes_to_vswitch: network.exposeRoutesToVswitch,
  }
}

function renderSubnet(network: NetworkRecord, subnet: Subnet): Record<string, unknown> {
  return {
    type: subnet.type,
    ip_range: subnet.ipRange,
    network_zone: subnet.networkZone,
    gateway: gatewayOf(network),
    vswitch_id: null,
  }
}
