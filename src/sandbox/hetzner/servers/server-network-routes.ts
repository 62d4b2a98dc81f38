import { z } from 'zod'
import { answerAction } from '../actions/answer-action.ts'
import { invalidFields, limitExceeded, notFound, refused } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { findRecord } from '../api/find-record.ts'
import { post, type Route } from '../api/route.ts'
import { ensureUsable, takenAddresses } from '../networks/address-plan.ts'
import { attachment, detach } from './attach-server.ts'
import { answerExclusive, findFreeServer, findServer } from './server-action.ts'

const maxAliasIps = 5

export const serverNetworkRoutes: Route[] = [
  post(
    '/servers/{id}/actions/attach_to_network',
    z.strictObject({
      network: fields.id,
      ip: z.string().optional(),
      alias_ips: z.array(z.string()).max(maxAliasIps).optional(),
      ip_range: z.string().optional(),
    }),
    (call, body) => {
      const server = findFreeServer(call)
      const plan = attachment(call.world, server, body.network, {
        ip: body.ip,
        ipRange: body.ip_range,
        aliasIps: body.alias_ips,
      })
      return answerExclusive(call, server, plan)
    },
  ),
  post(
    '/servers/{id}/actions/detach_from_network',
    z.strictObject({ network: fields.id }),
    (call, body) => {
      const server = findFreeServer(call)
      if (!server.privateNets.some((net) => net.network === body.network)) {
        throw notFound('network', body.network)
      }
      return answerExclusive(call, server, {
        command: 'detach_from_network',
        latency: 'attach-to-network',
        besides: [{ id: body.network, type: 'network' }],
        run: () => detach(call.world, server, body.network),
      })
    },
  ),
  post(
    '/servers/{id}/actions/change_alias_ips',
    z.strictObject({ network: fields.id, alias_ips: z.array(z.string()) }),
    (call, body) => {
      const server = findFreeServer(call)
      const network = findRecord(call.state.networks, body.network, 'network')
      const net = server.privateNets.find((attached) => attached.network === body.network)
      if (net === undefined) throw notFound('network', body.network)
      if (body.alias_ips.length > maxAliasIps) throw limitExceeded('alias IP', 'alias_ip_limit')
      const taken = takenAddresses(call.state, network)
      for (const ip of body.alias_ips) {
        ensureUsable(network, network.subnets, ip)
        if (taken.has(ip) && !net.aliasIps.includes(ip)) {
          throw refused('ip_not_available', `ip ${ip} is not available`)
        }
      }
      const run = () => {
        net.aliasIps = body.alias_ips
      }
      return answerExclusive(call, server, {
        command: 'change_alias_ips',
        latency: 'change',
        besides: [{ id: network.id, type: 'network' }],
        run,
      })
    },
  ),
  post('/servers/{id}/actions/change_dns_ptr', fields.dnsPtr, (call, body) => {
    const server = findServer(call)
    const ids = [server.ipv4, server.ipv6]
    const ip = [...call.state.primaryIps.values()].find(
      (record) =>
        ids.includes(record.id) &&
        (record.type === 'ipv6' ? body.ip.includes(':') : body.ip === record.ip),
    )
    if (ip === undefined) throw invalidFields(['ip'])
    const { [body.ip]: _former, ...others } = ip.dnsPtrs
    ip.dnsPtrs = body.dns_ptr === null ? others : { ...others, [body.ip]: body.dns_ptr }
    return answerAction(call, {
      command: 'change_dns_ptr',
      resources: [{ id: server.id, type: 'server' }],
    })
  }),
]
