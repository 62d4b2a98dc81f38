import { z } from 'zod'
import { parseCidr } from '../../ip-range.ts'
import { invalidFields, isProtected, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { ensureNameFree, findRecord } from '../api/find-record.ts'
import { list, listQuery } from '../api/list.ts'
import { type Call, get, post, put, type Route, remove } from '../api/route.ts'
import { synchronizeMachine } from '../servers/synchronize-machine.ts'
import { isPrivateRange, planSubnet } from './address-plan.ts'
import type { NetworkRecord } from './network.ts'
import { networkActionRoutes } from './network-action-routes.ts'
import { networkMemberRoutes } from './network-member-routes.ts'
import { renderNetwork } from './render-network.ts'

const subnet = z.strictObject({
  type: z.enum(['cloud', 'server', 'vswitch']),
  ip_range: z.string().optional(),
  network_zone: fields.networkZone,
  vswitch_id: fields.id.nullish(),
  gateway: z.string().optional(),
})
const route = z.strictObject({ destination: z.string(), gateway: z.string() })

export const networkRoutes: Route[] = [
  get('/networks', listQuery, (call) =>
    list(call, 'networks', call.state.networks.values(), (network) =>
      renderNetwork(call.state, network),
    ),
  ),
  get('/networks/{id}', [], (call) => answer(call, findNetwork(call), 200)),
  post(
    '/networks',
    z.strictObject({
      name: fields.resourceName,
      ip_range: z.string(),
      labels: fields.labels.optional(),
      subnets: z.array(subnet).max(50).optional(),
      routes: z.array(route).max(100).optional(),
      expose_routes_to_vswitch: z.boolean().optional(),
    }),
    (call, body) => {
      const range = parseCidr(body.ip_range)
      if (range === undefined || range.prefix > 24 || !isPrivateRange(range)) {
        throw invalidFields(['ip_range'])
      }
      ensureNameFree(call.state.networks, body.name)
      const network: NetworkRecord = {
        id: call.state.nextId(),
        name: body.name,
        labels: body.labels ?? {},
        created: call.state.now(),
        ipRange: body.ip_range,
        subnets: [],
        routes: body.routes ?? [],
        deleteProtected: false,
        exposeRoutesToVswitch: body.expose_routes_to_vswitch ?? false,
      }
      for (const { type, ip_range, network_zone } of body.subnets ?? []) {
        if (type === 'vswitch') throw refused('service_error', 'vswitch not found')
        const ipRange = planSubnet(network, ip_range)
        network.subnets.push({ type, ipRange, networkZone: network_zone })
      }
      call.state.networks.set(network.id, network)
      return answer(call, network, 201)
    },
  ),
  put(
    '/networks/{id}',
    z.strictObject({
      name: fields.resourceName.optional(),
      labels: fields.labels.optional(),
      expose_routes_to_vswitch: z.boolean().optional(),
    }),
    (call, body) => {
      const network = findNetwork(call)
      ensureNameFree(call.state.networks, body.name, call.id)
      network.name = body.name ?? network.name
      network.labels = body.labels ?? network.labels
      network.exposeRoutesToVswitch = body.expose_routes_to_vswitch ?? network.exposeRoutesToVswitch
      return answer(call, network, 200)
    },
  ),
  remove('/networks/{id}', (call) => {
    const network = findNetwork(call)
    if (network.deleteProtected) throw isProtected('network is delete protected')
    detachAll(call, network.id)
    call.state.networks.delete(network.id)
    return { status: 204 }
  }),
  ...networkActionRoutes,
  ...networkMemberRoutes,
]

/** Deleting a network takes its members out of it; none of them is an obstacle. */
function detachAll(call: Call, network: number): void {
  for (const server of call.state.servers.values()) {
    server.privateNets = server.privateNets.filter((net) => net.network !== network)
    synchronizeMachine(call.world, server)
  }
  for (const balancer of call.state.loadBalancers.values()) {
    balancer.privateNets = balancer.privateNets.filter((net) => net.network !== network)
  }
}

function findNetwork(call: Call): NetworkRecord {
  return findRecord(call.state.networks, call.id, 'network')
}

function answer(call: Call, network: NetworkRecord, status: number) {
  return { status, body: { network: renderNetwork(call.state, network) } }
}
