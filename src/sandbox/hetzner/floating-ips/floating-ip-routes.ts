import { z } from 'zod'
import { answerAction } from '../actions/answer-action.ts'
import type { ActionPlan } from '../actions/run-action.ts'
import { invalidFields, isProtected, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { ensureNameFree, findRecord } from '../api/find-record.ts'
import { list, listQuery } from '../api/list.ts'
import { type Call, get, post, put, type Route, remove } from '../api/route.ts'
import { findLocation, locationNamed } from '../catalogue/locations.ts'
import { formatTime } from '../labels.ts'
import { ipv6Network } from '../primary-ips/ipv6-network.ts'
import type { FloatingIpRecord } from './floating-ip.ts'

export const floatingIpRoutes: Route[] = [
  get('/floating_ips', listQuery, (call) =>
    list(call, 'floating_ips', call.state.floatingIps.values(), render),
  ),
  get('/floating_ips/{id}', [], (call) => ({
    status: 200,
    body: { floating_ip: render(findIp(call)) },
  })),
  post(
    '/floating_ips',
    z.strictObject({
      type: z.enum(['ipv4', 'ipv6']),
      name: fields.resourceName.optional(),
      description: z.string().nullish(),
      home_location: fields.idOrName.nullish(),
      server: fields.id.nullish(),
      labels: fields.labels.optional(),
    }),
    async (call, body) => {
      const { state, world } = call
      const server =
        body.server == null ? undefined : findRecord(state.servers, body.server, 'server')
      const home = server?.location ?? findLocation(body.home_location ?? '')?.name
      if (home === undefined) throw invalidFields(['server', 'home_location'])
      ensureNameFree(state.floatingIps, body.name)
      const id = state.nextId()
      const ip: FloatingIpRecord = {
        id,
        name: body.name ?? `floating-ip-${id}`,
        labels: body.labels ?? {},
        created: state.now(),
        type: body.type,
        ip: body.type === 'ipv4' ? await world.addresses.allocate() : ipv6Network(id),
        description: body.description ?? '',
        homeLocation: home,
        server: server?.id ?? null,
        deleteProtected: false,
        dnsPtrs: {},
      }
      state.floatingIps.set(id, ip)
      const besides = { floating_ip: render(ip) }
      if (server === undefined) return { status: 201, body: { ...besides, action: null } }
      return answerAction(call, plan('assign_floating_ip', ip), besides)
    },
  ),
  put(
    '/floating_ips/{id}',
    z.strictObject({
      name: fields.resourceName.optional(),
      description: z.string().nullish(),
      labels: fields.labels.optional(),
    }),
    (call, body) => {
      const ip = findIp(call)
      ensureNameFree(call.state.floatingIps, body.name, ip.id)
      ip.name = body.name ?? ip.name
      ip.description = body.description ?? ip.description
      ip.labels = body.labels ?? ip.labels
      return { status: 200, body: { floating_ip: render(ip) } }
    },
  ),
  remove('/floating_ips/{id}', (call) => {
    const ip = findIp(call)
    if (ip.deleteProtected) throw isProtected('Floating IP deletion is protected')
    if (ip.server !== null) throw refused('must_be_unassigned', 'Floating IP must be unassigned')
    call.state.floatingIps.delete(ip.id)
    if (ip.type === 'ipv4') call.world.addresses.release(ip.ip)
    return { status: 204 }
  }),
  post('/floating_ips/{id}/actions/assign', z.strictObject({ server: fields.id }), (call, body) => {
    const ip = findIp(call)
    const server = findRecord(call.state.servers, body.server, 'server')
    if (ip.server === server.id) {
      throw refused('floating_ip_assigned', 'Floating IP is already assigned to this server')
    }
    ip.server = server.id
    return answerAction(call, plan('assign_floating_ip', ip))
  }),
  post('/floating_ips/{id}/actions/unassign', fields.nothing, (call) => {
    const ip = findIp(call)
    const unassignment = plan('unassign_floating_ip', ip)
    ip.server = null
    return answerAction(call, unassignment)
  }),
  post('/floating_ips/{id}/actions/change_protection', fields.protection, (call, body) => {
    const ip = findIp(call)
    ip.deleteProtected = body.delete ?? ip.deleteProtected
    return answerAction(call, plan('change_protection', ip))
  }),
  post('/floating_ips/{id}/actions/change_dns_ptr', fields.dnsPtr, (call, body) => {
    const ip = findIp(call)
    const { [body.ip]: _former, ...others } = ip.dnsPtrs
    ip.dnsPtrs = body.dns_ptr === null ? others : { ...others, [body.ip]: body.dns_ptr }
    return answerAction(call, plan('change_dns_ptr', ip))
  }),
]

function plan(command: string, ip: FloatingIpRecord): ActionPlan {
  const owner = ip.server === null ? [] : [{ id: ip.server, type: 'server' }]
  return { command, resources: [...owner, { id: ip.id, type: 'floating_ip' }], latency: 'change' }
}

function findIp(call: Call): FloatingIpRecord {
  return findRecord(call.state.floatingIps, call.id, 'Floating IP')
}

function render(ip: FloatingIpRecord): Record<string, unknown> {
  return {
    id: ip.id,
    name: ip.name,
    description: ip.description,
    type: ip.type,
    ip: ip.ip,
    server: ip.server,
    home_location: locationNamed(ip.homeLocation),
    blocked: false,
    protection: { delete: ip.deleteProtected },
    labels: ip.labels,
    dns_ptr: Object.entries(ip.dnsPtrs).map(([address, dns_ptr]) => ({ ip: address, dns_ptr })),
    created: formatTime(ip.created),
  }
}
