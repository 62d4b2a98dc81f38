import { z } from 'zod'
import { answerAction } from '../actions/answer-action.ts'
import { invalidFields, invalidInput, isProtected, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { ensureNameFree, findRecord } from '../api/find-record.ts'
import { isAsked, list, listQuery } from '../api/list.ts'
import { type Call, get, post, put, type Route, remove } from '../api/route.ts'
import { findLocation } from '../catalogue/locations.ts'
import type { HetznerState } from '../hetzner-state.ts'
import type { ServerRecord } from '../servers/server.ts'
import { synchronizeMachine } from '../servers/synchronize-machine.ts'
import { createPrimaryIp } from './create-primary-ip.ts'
import type { PrimaryIpRecord } from './primary-ip.ts'
import { renderPrimaryIp } from './render-primary-ip.ts'

export const primaryIpRoutes: Route[] = [
  get('/primary_ips', [...listQuery, 'ip', 'type'], (call) => {
    const ips = [...call.state.primaryIps.values()].filter(
      (ip) => isAsked(call, 'ip', ip.ip) && isAsked(call, 'type', ip.type),
    )
    return list(call, 'primary_ips', ips, renderPrimaryIp)
  }),
  get('/primary_ips/{id}', [], (call) => answer(findIp(call), 200)),
  post(
    '/primary_ips',
    z.strictObject({
      name: fields.resourceName,
      type: z.enum(['ipv4', 'ipv6']),
      location: z.string().optional(),
      assignee_id: fields.id.nullish(),
      assignee_type: z.enum(['server', 'load_balancer', 'unassigned']).optional(),
      auto_delete: z.boolean().optional(),
      labels: fields.labels.optional(),
    }),
    async (call, body) => {
      const { state } = call
      const server = body.assignee_id == null ? undefined : findServer(state, body.assignee_id)
      const location = server?.location ?? findLocation(body.location ?? '')?.name
      if (location === undefined) throw invalidFields(['location'])
      ensureNameFree(state.primaryIps, body.name)
      if (server !== undefined) ensureAssignable(call, server, body.type)
      const ip = await createPrimaryIp(call.world, { ...body, location })
      if (server === undefined)
        return { status: 201, body: { primary_ip: renderPrimaryIp(ip), action: null } }
      assign(call, ip, server)
      return answerAction(call, plan('assign_primary_ip', ip), { primary_ip: renderPrimaryIp(ip) })
    },
  ),
  put(
    '/primary_ips/{id}',
    z.strictObject({
      name: fields.resourceName.optional(),
      auto_delete: z.boolean().optional(),
      labels: fields.labels.optional(),
    }),
    (call, body) => {
      const ip = findIp(call)
      ensureNameFree(call.state.primaryIps, body.name, ip.id)
      ip.name = body.name ?? ip.name
      ip.autoDelete = body.auto_delete ?? ip.autoDelete
      ip.labels = body.labels ?? ip.labels
      return answer(ip, 200)
    },
  ),
  remove('/primary_ips/{id}', (call) => {
    const ip = findIp(call)
    if (ip.deleteProtected) throw isProtected('Primary IP deletion is protected')
    if (ip.assignee !== null) throw refused('must_be_unassigned', 'Primary IP must be unassigned')
    call.state.primaryIps.delete(ip.id)
    if (ip.type === 'ipv4') call.world.addresses.release(ip.ip)
    return { status: 204 }
  }),
  post(
    '/primary_ips/{id}/actions/assign',
    z.strictObject({ assignee_id: fields.id, assignee_type: z.literal('server').optional() }),
    (call, body) => {
      const ip = findIp(call)
      if (ip.assignee !== null) {
        throw refused('primary_ip_already_assigned', 'Primary IP is already assigned')
      }
      const server = findServer(call.state, body.assignee_id)
      if (server.location !== ip.location) {
        throw refused('primary_ip_location_mismatch', 'Primary IP is in a different location')
      }
      ensureAssignable(call, server, ip.type)
      assign(call, ip, server)
      return answerAction(call, plan('assign_primary_ip', ip))
    },
  ),
  post('/primary_ips/{id}/actions/unassign', fields.nothing, (call) => {
    const ip = findIp(call)
    if (ip.assignee === null) {
      throw refused('primary_ip_not_assigned', 'Primary IP is not assigned')
    }
    if (ip.assigneeType === 'load_balancer') {
      throw invalidInput('Primary IP of a load balancer cannot be unassigned')
    }
    const server = findServer(call.state, ip.assignee)
    ensureStopped(call, server)
    ip.assignee = null
    server.ipv4 = server.ipv4 === ip.id ? null : server.ipv4
    server.ipv6 = server.ipv6 === ip.id ? null : server.ipv6
    synchronizeMachine(call.world, server)
    return answerAction(call, plan('unassign_primary_ip', ip))
  }),
  post('/primary_ips/{id}/actions/change_protection', fields.protection, (call, body) => {
    const ip = findIp(call)
    ip.deleteProtected = body.delete ?? ip.deleteProtected
    return answerAction(call, plan('change_protection', ip))
  }),
  post('/primary_ips/{id}/actions/change_dns_ptr', fields.dnsPtr, (call, body) => {
    const ip = findIp(call)
    const { [body.ip]: _former, ...others } = ip.dnsPtrs
    ip.dnsPtrs = body.dns_ptr === null ? others : { ...others, [body.ip]: body.dns_ptr }
    return answerAction(call, plan('change_dns_ptr', ip))
  }),
]

function findServer(state: HetznerState, id: number): ServerRecord {
  return findRecord(state.servers, id, 'server')
}

function ensureStopped(call: Call, server: ServerRecord): void {
  if (call.world.machine(server.id)?.power === 'on') {
    throw refused('server_not_stopped', 'server must be powered off')
  }
}

function ensureAssignable(call: Call, server: ServerRecord, type: 'ipv4' | 'ipv6'): void {
  ensureStopped(call, server)
  if (type === 'ipv4' && server.ipv4 !== null) {
    throw refused('server_has_ipv4', 'server already has an IPv4 address')
  }
  if (type === 'ipv6' && server.ipv6 !== null) {
    throw refused('server_has_ipv6', 'server already has an IPv6 network')
  }
}

function assign(call: Call, ip: PrimaryIpRecord, server: ServerRecord): void {
  ip.assignee = server.id
  ip.assigneeType = 'server'
  if (ip.type === 'ipv4') server.ipv4 = ip.id
  else server.ipv6 = ip.id
  synchronizeMachine(call.world, server)
}

function plan(command: string, ip: PrimaryIpRecord) {
  const owner = ip.assignee === null ? [] : [{ id: ip.assignee, type: ip.assigneeType }]
  return {
    command,
    resources: [...owner, { id: ip.id, type: 'primary_ip' }],
    latency: 'change',
  } as const
}

function findIp(call: Call): PrimaryIpRecord {
  return findRecord(call.state.primaryIps, call.id, 'primary IP')
}

function answer(ip: PrimaryIpRecord, status: number) {
  return { status, body: { primary_ip: renderPrimaryIp(ip) } }
}
