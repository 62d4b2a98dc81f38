import { serveHttp } from '../../serve-http.ts'
import type { World } from '../../world.ts'
import { hetznerRoutes } from '../hetzner-routes.ts'
import { answerCall, type TokenAccess } from './answer-call.ts'
import { RouteTable } from './match-route.ts'
import { RateLimit } from './rate-limit.ts'

export interface HetznerOptions {
  /** 0, or absent, for any free one. */
  readonly port?: number
  /** Tokens of the project and what they may do. */
  readonly tokens?: Readonly<Record<string, TokenAccess>>
}

/** The tokens that a world's project has where none are given: 64 characters, as Hetzner's are. */
export const sandboxTokens = {
  sandboxReadWriteTokenPrefix00001sandboxReadWriteTokenSecret00001: 'read-write',
  sandboxReadOnlyTokenPrefix000001sandboxReadOnlyTokenSecret000001: 'read-only',
} as const satisfies Record<string, TokenAccess>

/** Serves Hetzner's API of this world on loopback; `url` ends in `/v1`, as HCLOUD_ENDPOINT wants it. */
export async function serveHetzner(
  world: World,
  options: HetznerOptions = {},
): Promise<{ url: string; close(): Promise<void> }> {
  const front = {
    world,
    routes: new RouteTable(hetznerRoutes),
    rate: new RateLimit(world),
    tokens: options.tokens ?? sandboxTokens,
  }
  const { url, close } = await serveHttp(world, {
    name: 'hetzner',
    port: options.port,
    prefix: '/v1',
    answer: async (request) => {
      await world.pause('request')
      const { status, headers, body, html } = await answerCall(front, request)
      if (html !== undefined) {
        return { status, headers: { 'Content-Type': 'text/html' }, body: html }
      }
      const always = { ...front.rate.headers(), 'X-Correlation-Id': world.hex(16), ...headers }
      if (body === undefined) return { status, headers: always }
      return {
        status,
        headers: { ...always, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }
    },
  })
  return { url: `${url}/v1`, close }
}
