import { z } from 'zod'
import { invalidFields } from '../api/api-error.ts'
import * as fields from '../api/fields.ts'
import type { HealthCheck, LoadBalancerService } from './load-balancer.ts'

const port = z.int().min(1).max(65_535)

const healthCheckBody = z.strictObject({
  protocol: z.enum(['tcp', 'http']).optional(),
  port: port.optional(),
  interval: z.int().min(3).max(60).optional(),
  timeout: z.int().min(1).max(60).optional(),
  retries: z.int().min(1).max(5).optional(),
  http: z
    .strictObject({
      domain: z.string().nullish(),
      path: z.string().optional(),
      response: z.string().nullish(),
      status_codes: z
        .array(z.string().regex(/^[1-5?][0-9?]{2}$/))
        .max(20)
        .nullish(),
      tls: z.boolean().optional(),
    })
    .optional(),
})

const httpBody = z.strictObject({
  cookie_name: z.string().optional(),
  cookie_lifetime: z.int().optional(),
  certificates: z.array(fields.id).optional(),
  redirect_http: z.boolean().optional(),
  sticky_sessions: z.boolean().optional(),
  timeout_idle: z.int().min(30).max(300).optional(),
})

/** A service as it is added; what is left out gets Hetzner's defaults. */
export const serviceBody = z.strictObject({
  protocol: z.enum(['tcp', 'http', 'https']),
  listen_port: port.optional(),
  destination_port: port.optional(),
  proxyprotocol: z.boolean().optional(),
  health_check: healthCheckBody.optional(),
  http: httpBody.optional(),
})

/** A change of a service: everything but the port that names it may be left out. */
export const serviceUpdateBody = serviceBody.extend({
  protocol: serviceBody.shape.protocol.optional(),
  listen_port: port,
})

type ServiceBody = z.infer<typeof serviceBody>

const defaultPorts = { tcp: undefined, http: 80, https: 443 } as const

/** The service that a body asks for. 422 where TCP lacks a port, or HTTPS a certificate. */
export function readService(
  body: ServiceBody,
  certificates: ReadonlyMap<number, unknown>,
): LoadBalancerService {
  const listenPort = body.listen_port ?? defaultPorts[body.protocol]
  const destinationPort = body.destination_port ?? (body.protocol === 'tcp' ? undefined : 80)
  if (listenPort === undefined) throw invalidFields(['listen_port'])
  if (destinationPort === undefined) throw invalidFields(['destination_port'])
  const wanted = body.http?.certificates ?? []
  const unknown = wanted.some((id) => !certificates.has(id))
  if (unknown || (body.protocol === 'https' && wanted.length === 0)) {
    throw invalidFields(['http.certificates'])
  }
  const service = {
    protocol: body.protocol,
    listenPort,
    destinationPort,
    proxyprotocol: body.proxyprotocol ?? false,
    healthCheck: readHealthCheck(body, destinationPort),
  }
  return body.protocol === 'tcp' ? service : { ...service, http: readHttp(body, wanted) }
}

/** A service's fields as a body that would make the same one: what an update starts from. */
export function toBody(service: LoadBalancerService): ServiceBody {
  const { healthCheck, http } = service
  return {
    protocol: service.protocol,
    listen_port: service.listenPort,
    destination_port: service.destinationPort,
    proxyprotocol: service.proxyprotocol,
    health_check: renderHealthCheck(healthCheck),
    ...(http && { http: renderHttp(http) }),
  }
}

export function renderService(service: LoadBalancerService): Record<string, unknown> {
  return { ...toBody(service) }
}

function readHealthCheck({ health_check: body, protocol }: ServiceBody, port: number): HealthCheck {
  const kind = body?.protocol ?? (protocol === 'tcp' ? 'tcp' : 'http')
  const check = {
    protocol: kind,
    port: body?.port ?? port,
    interval: body?.interval ?? 15,
    timeout: body?.timeout ?? 10,
    retries: body?.retries ?? 3,
  }
  if (kind === 'tcp') return check
  const http = body?.http
  return {
    ...check,
    http: {
      domain: http?.domain ?? null,
      path: http?.path ?? '/',
      response: http?.response ?? '',
      statusCodes: http?.status_codes ?? ['2??', '3??'],
      tls: http?.tls ?? false,
    },
  }
}

function renderHealthCheck(check: HealthCheck) {
  const { protocol, port, interval, timeout, retries, http } = check
  const shared = { protocol, port, interval, timeout, retries }
  if (http === undefined) return shared
  return {
    ...shared,
    http: {
      domain: http.domain,
      path: http.path,
      response: http.response ?? '',
      status_codes: [...(http.statusCodes ?? [])],
      tls: http.tls ?? false,
    },
  }
}

function readHttp({ http }: ServiceBody, certificates: readonly number[]) {
  return {
    cookieName: http?.cookie_name ?? 'HCLBSTICKY',
    cookieLifetime: http?.cookie_lifetime ?? 300,
    certificates,
    redirectHttp: http?.redirect_http ?? false,
    stickySessions: http?.sticky_sessions ?? false,
    timeoutIdle: http?.timeout_idle ?? 50,
  }
}

function renderHttp(http: NonNullable<LoadBalancerService['http']>) {
  return {
    cookie_name: http.cookieName,
    cookie_lifetime: http.cookieLifetime,
    certificates: [...http.certificates],
    redirect_http: http.redirectHttp,
    sticky_sessions: http.stickySessions,
    timeout_idle: http.timeoutIdle,
  }
}
