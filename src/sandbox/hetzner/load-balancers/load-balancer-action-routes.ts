import { z } from 'zod'
import { ApiError, invalidFields, limitExceeded, notFound } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import { post, type Route } from '../api/route.ts'
import { findLoadBalancerType, loadBalancerTypeNamed } from '../catalogue/load-balancer-types.ts'
import { changeBalancer } from './balancer-action.ts'
import type { LoadBalancerRecord } from './load-balancer.ts'
import { readService, serviceBody, serviceUpdateBody, toBody } from './service-body.ts'
import { isSameTarget, parseTarget, readTarget, targetBody } from './target-body.ts'

const at = (action: string) => `/load_balancers/{id}/actions/${action}`

export const loadBalancerActionRoutes: Route[] = [
  post(at('add_service'), serviceBody, (call, body) =>
    changeBalancer(call, 'add_service', (balancer) => {
      const service = readService(body, call.state.certificates)
      ensurePortFree(balancer, service.listenPort)
      if (balancer.services.length >= loadBalancerTypeNamed(balancer.type).services) {
        throw limitExceeded('service', 'load_balancer_service_limit')
      }
      balancer.services.push(service)
      return undefined
    }),
  ),
  post(at('update_service'), serviceUpdateBody, (call, body) =>
    changeBalancer(call, 'update_service', (balancer) => {
      const service = findService(balancer, body.listen_port)
      const former = toBody(service)
      const changed = readService(
        {
          ...former,
          ...body,
          protocol: body.protocol ?? former.protocol,
          health_check: {
            ...former.health_check,
            ...body.health_check,
            http: { ...former.health_check?.http, ...body.health_check?.http },
          },
          http: { ...former.http, ...body.http },
        },
        call.state.certificates,
      )
      balancer.services = balancer.services.map((other) => (other === service ? changed : other))
      return undefined
    }),
  ),
  post(at('delete_service'), z.strictObject({ listen_port: z.int() }), (call, body) =>
    changeBalancer(call, 'delete_service', (balancer) => {
      const service = findService(balancer, body.listen_port)
      balancer.services = balancer.services.filter((other) => other !== service)
      return undefined
    }),
  ),
  post(at('add_target'), targetBody, (call, body) =>
    changeBalancer(call, 'add_target', (balancer) => {
      const target = readTarget(call.world, balancer, body)
      if (balancer.targets.length >= loadBalancerTypeNamed(balancer.type).targets) {
        throw limitExceeded('target', 'load_balancer_target_limit')
      }
      balancer.targets.push(target)
      return target.type === 'server' ? { besides: [{ id: target.server, type: 'server' }] } : {}
    }),
  ),
  post(at('remove_target'), targetBody, (call, body) =>
    changeBalancer(call, 'remove_target', (balancer) => {
      const named = parseTarget(body, 0)
      const target = balancer.targets.find((other) => isSameTarget(other, named))
      if (target === undefined) {
        throw new ApiError(404, 'not_found', 'load balancer target not found')
      }
      balancer.targets = balancer.targets.filter((other) => other !== target)
      return undefined
    }),
  ),
  post(
    at('change_algorithm'),
    z.strictObject({ type: z.enum(['round_robin', 'least_connections']) }),
    (call, body) =>
      changeBalancer(call, 'change_algorithm', (balancer) => {
        balancer.algorithm = body.type
        return undefined
      }),
  ),
  post(at('change_type'), z.strictObject({ load_balancer_type: fields.idOrName }), (call, body) =>
    changeBalancer(call, 'change_load_balancer_type', (balancer) => {
      const type = findLoadBalancerType(body.load_balancer_type)
      const { services, targets } = balancer
      if (!type || type.services < services.length || type.targets < targets.length) {
        throw invalidFields(['load_balancer_type'])
      }
      balancer.type = type.name
      return undefined
    }),
  ),
  post(at('change_protection'), fields.protection, (call, body) =>
    changeBalancer(call, 'change_protection', (balancer) => {
      balancer.deleteProtected = body.delete ?? balancer.deleteProtected
      return undefined
    }),
  ),
  post(at('change_dns_ptr'), fields.dnsPtr, (call, body) =>
    changeBalancer(call, 'change_dns_ptr', (balancer) => {
      const { [body.ip]: _former, ...others } = balancer.dnsPtrs
      balancer.dnsPtrs = body.dns_ptr === null ? others : { ...others, [body.ip]: body.dns_ptr }
      return undefined
    }),
  ),
]

function ensurePortFree(balancer: LoadBalancerRecord, port: number): void {
  if (balancer.services.some((service) => service.listenPort === port)) {
    throw new ApiError(412, 'source_port_already_used', `source port ${port} is already used`)
  }
}

function findService(balancer: LoadBalancerRecord, port: number) {
  const service = balancer.services.find(({ listenPort }) => listenPort === port)
  if (service === undefined) throw notFound('load balancer service', port)
  return service
}
