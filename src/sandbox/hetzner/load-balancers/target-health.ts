import type { World } from '../../world.ts'
import type { ServerRecord } from '../servers/server.ts'
import type { HealthCheck, LoadBalancerRecord } from './load-balancer.ts'

interface Health {
  readonly status: 'healthy' | 'unhealthy' | 'unknown'
  readonly detail?: string
  readonly http_status_code?: number
}

/**
 * What each service's check finds on a server: what the fronts say that the machine answers. Unknown
 * until enough checks have been made since `since`; a machine that is off answers nothing.
 */
export function renderHealth(
  world: World,
  balancer: LoadBalancerRecord,
  server: ServerRecord,
  since: number,
): Record<string, unknown>[] {
  return balancer.services.map((service) => ({
    listen_port: service.listenPort,
    ...checkServer(world, server, service.healthCheck, since),
  }))
}

function checkServer(
  world: World,
  server: ServerRecord,
  check: HealthCheck,
  since: number,
): Health {
  const needed = world.latencies !== 'realistic' ? 0 : check.interval * check.retries * 1_000
  if (world.clock.now() - since < needed) return { status: 'unknown' }
  const machine = world.machine(server.id)
  if (machine === undefined || machine.power === 'off') return unhealthy('layer4_timeout')
  const { protocol, port } = check
  const asked = { protocol, tls: check.http?.tls ?? false, path: check.http?.path ?? '/' }
  for (const probe of world.targetProbes) {
    const found = probe(machine, port, asked)
    if (found !== undefined) return judge(check, found)
  }
  return unhealthy('layer4_no_connection')
}

/** Whether what a check found counts as healthy. */
export function isHealthyAnswer(
  check: HealthCheck,
  found: number | 'connected' | undefined,
): boolean {
  return found !== undefined && judge(check, found).status === 'healthy'
}

function judge(check: HealthCheck, found: number | 'connected'): Health {
  if (check.protocol === 'tcp') return { status: 'healthy' }
  if (found === 'connected') return unhealthy('layer7_timeout')
  const wanted = check.http?.statusCodes ?? ['2??', '3??']
  const matches = wanted.some((code) =>
    new RegExp(`^${code.replaceAll('?', '\\d')}$`).test(`${found}`),
  )
  return matches
    ? { status: 'healthy' }
    : { status: 'unhealthy', detail: 'unexpected_http_status', http_status_code: found }
}

function unhealthy(detail: string): Health {
  return { status: 'unhealthy', detail }
}
