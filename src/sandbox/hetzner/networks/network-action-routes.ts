import { z } from 'zod'
import { cidrsOverlap, parseCidr } from '../../ip-range.ts'
import { actionsOf } from '../actions/action-routes.ts'
import { answerAction } from '../actions/answer-action.ts'
import { ensureUnchanging } from '../actions/run-action.ts'
import { invalidFields, invalidInput, limitExceeded, notFound, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { findRecord } from '../api/find-record.ts'
import { type Answer, type Call, post, type Route } from '../api/route.ts'
import { gatewayOf, planSubnet, readCidr, subnetOf, takenAddresses } from './address-plan.ts'
import { isGrown } from './is-grown.ts'
import type { NetworkRecord } from './network.ts'

const maxSubnets = 50
const maxRoutes = 100

export const networkActionRoutes: Route[] = [
  actionsOf('networks', 'network', (call) => call.state.networks),
  post(
    '/networks/{id}/actions/add_subnet',
    z.strictObject({
      type: z.enum(['cloud', 'server', 'vswitch']),
      ip_range: z.string().optional(),
      network_zone: fields.networkZone,
      vswitch_id: fields.id.nullish(),
      // Old clients send the answer's gateway back, and are not refused.
      gateway: z.string().nullish(),
    }),
    (call, body) =>
      change(call, 'add_subnet', (network) => {
        if (body.type === 'vswitch') throw refused('service_error', 'vswitch not found')
        if (network.subnets.length >= maxSubnets) throw limitExceeded('subnet', 'subnet_limit')
        if (network.subnets.some((subnet) => subnet.networkZone !== body.network_zone)) {
          throw invalidFields(['network_zone'])
        }
        const ipRange = planSubnet(network, body.ip_range)
        const subnet = { type: body.type, ipRange, networkZone: body.network_zone }
        return () => void network.subnets.push(subnet)
      }),
  ),
  post(
    '/networks/{id}/actions/delete_subnet',
    z.strictObject({ ip_range: z.string() }),
    (call, body) =>
      change(call, 'delete_subnet', (network) => {
        const subnet = network.subnets.find(({ ipRange }) => ipRange === body.ip_range)
        if (subnet === undefined) throw notFound('subnet', body.ip_range)
        const members = [...takenAddresses(call.state, network)]
        if (members.some((ip) => subnetOf(network, ip) === subnet)) {
          throw refused('service_error', 'cannot remove subnet because servers are attached to it')
        }
        return () => {
          network.subnets = network.subnets.filter((other) => other !== subnet)
        }
      }),
  ),
  post(
    '/networks/{id}/actions/add_route',
    z.strictObject({ destination: z.string(), gateway: z.string() }),
    (call, route) =>
      change(call, 'add_route', (network) => {
        if (network.routes.length >= maxRoutes) throw limitExceeded('route', 'route_limit')
        ensureRoutable(network, route)
        return () => void network.routes.push(route)
      }),
  ),
  post(
    '/networks/{id}/actions/delete_route',
    z.strictObject({ destination: z.string(), gateway: z.string() }),
    (call, body) =>
      change(call, 'delete_route', (network) => {
        const route = network.routes.find(
          ({ destination, gateway }) =>
            destination === body.destination && gateway === body.gateway,
        )
        if (route === undefined) throw notFound('route', body.destination)
        return () => {
          network.routes = network.routes.filter((other) => other !== route)
        }
      }),
  ),
  post(
    '/networks/{id}/actions/change_ip_range',
    z.strictObject({ ip_range: z.string() }),
    (call, body) =>
      change(call, 'change_ip_range', (network) => {
        if (!isGrown(network.ipRange, body.ip_range)) throw invalidFields(['ip_range'])
        return () => {
          network.ipRange = body.ip_range
        }
      }),
  ),
  post('/networks/{id}/actions/change_protection', fields.protection, (call, body) => {
    const network = findRecord(call.state.networks, call.id, 'network')
    network.deleteProtected = body.delete ?? network.deleteProtected
    return answerAction(call, { command: 'change_protection', resources: [resource(network)] })
  }),
]

/** Checks first, then changes the network by an action that keeps other changes out meanwhile. */
function change(call: Call, command: string, plan: (network: NetworkRecord) => () => void): Answer {
  const network = findRecord(call.state.networks, call.id, 'network')
  ensureUnchanging(call.world, network.id)
  const run = plan(network)
  return answerAction(call, {
    command,
    resources: [resource(network)],
    latency: 'change',
    changes: network.id,
    run,
  })
}

function ensureRoutable(
  network: NetworkRecord,
  { destination, gateway }: { destination: string; gateway: string },
): void {
  const range = parseCidr(destination)
  if (range === undefined) throw invalidFields(['destination'])
  const ranges = [
    ...network.subnets.map((subnet) => subnet.ipRange),
    ...network.routes.map((route) => route.destination),
  ]
  const isDefault = destination === '0.0.0.0/0'
  const overlaps = (other: string) =>
    isDefault || other === '0.0.0.0/0'
      ? other === destination
      : cidrsOverlap(readCidr(other), range)
  if (ranges.some(overlaps)) {
    throw invalidInput('destination overlaps with another route or subnet')
  }
  if (gateway === gatewayOf(network) || gateway === '172.31.1.1') throw invalidFields(['gateway'])
}

function resource(network: NetworkRecord) {
  return { id: network.id, type: 'network' }
}
