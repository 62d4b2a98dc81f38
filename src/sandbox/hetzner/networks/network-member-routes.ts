import { findRecord } from '../api/find-record.ts'
import { isAsked, sortBy } from '../api/list.ts'
import { paginate } from '../api/paginate.ts'
import { get, type Route } from '../api/route.ts'
import type { HetznerState } from '../hetzner-state.ts'
import { subnetOf } from './address-plan.ts'
import type { NetworkRecord } from './network.ts'

interface Member {
  readonly type: 'server' | 'load_balancer'
  readonly id: number
  readonly ip: string
  readonly status: 'ok' | 'attaching'
  readonly alias_ips: readonly string[]
  readonly subnet: string
}

interface Attached {
  readonly id: number
  readonly privateNets: readonly { network: number; ip: string; aliasIps?: readonly string[] }[]
  readonly attaching: readonly { network: number; ip: string; aliasIps?: readonly string[] }[]
}

/** Who is in a network, since 2026-09-15: good for waiting until an attachment is done. */
export const networkMemberRoutes: Route[] = [
  get(
    '/networks/{id}/members',
    ['type', 'subnet', 'status', 'sort', 'page', 'per_page'],
    (call) => {
      const network = findRecord(call.state.networks, call.id, 'network')
      const asked = membersOf(call.state, network).filter(
        (member) =>
          isAsked(call, 'type', member.type) &&
          isAsked(call, 'subnet', member.subnet) &&
          isAsked(call, 'status', member.status),
      )
      const sorted = sortBy(call, asked, {
        id: (a, b) => a.id - b.id,
        ip: (a, b) => a.ip.localeCompare(b.ip),
        type: (a, b) => a.type.localeCompare(b.type),
      })
      return paginate(call, 'members', sorted)
    },
  ),
]

function membersOf(state: HetznerState, network: NetworkRecord): Member[] {
  const servers = [...state.servers.values()].flatMap((server) => members('server', server))
  const balancers = [...state.loadBalancers.values()].flatMap((balancer) =>
    members('load_balancer', balancer),
  )
  return [...servers, ...balancers]

  function members(type: Member['type'], { id, privateNets, attaching }: Attached): Member[] {
    return [
      ...privateNets.flatMap((net) => member(type, id, net, 'ok')),
      ...attaching.flatMap((net) => member(type, id, net, 'attaching')),
    ]
  }

  function member(
    type: Member['type'],
    id: number,
    net: { network: number; ip: string; aliasIps?: readonly string[] },
    status: Member['status'],
  ): Member[] {
    if (net.network !== network.id) return []
    const subnet = subnetOf(network, net.ip)?.ipRange ?? network.ipRange
    return [{ type, id, ip: net.ip, status, alias_ips: net.aliasIps ?? [], subnet }]
  }
}
