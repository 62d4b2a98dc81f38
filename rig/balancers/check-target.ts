import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect } from 'node:net'
import type { HealthCheck } from '../../src/sandbox/hetzner/load-balancers/load-balancer.ts'

/** Where a balancer reaches a server, and from which of its own addresses. */
export interface TargetAddress {
  readonly host: string
  readonly from: string
}

/** How a target is checked; `timeout` in seconds. */
export type TargetCheck = Pick<HealthCheck, 'protocol' | 'port' | 'timeout' | 'http'>

/** What a check finds: an HTTP status, `connected` where there is no HTTP, undefined for no answer. */
export function checkTarget(
  { host, from }: TargetAddress,
  { protocol, port, timeout, http }: TargetCheck,
): Promise<number | 'connected' | undefined> {
  const timeoutMs = timeout * 1_000
  return new Promise((resolve) => {
    if (protocol === 'tcp') {
      const socket = connect({ host, port, localAddress: from, timeout: timeoutMs })
      const end = (found: 'connected' | undefined) => {
        socket.destroy()
        resolve(found)
      }
      socket.once('connect', () => end('connected'))
      socket.once('error', () => end(undefined)).once('timeout', () => end(undefined))
      return
    }
    const options = {
      host,
      port,
      localAddress: from,
      path: http?.path ?? '/',
      timeout: timeoutMs,
      agent: false,
      headers: { Host: http?.domain || host },
      rejectUnauthorized: false,
    }
    const request = http?.tls ? requestHttps(options) : requestHttp(options)
    request.once('response', (response) => {
      response.resume()
      resolve(response.statusCode)
      request.destroy()
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(undefined))
    request.end()
  })
}
