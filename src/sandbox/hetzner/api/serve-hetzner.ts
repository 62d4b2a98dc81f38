import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { World } from '../../world.ts'
import { hetznerRoutes } from '../hetzner-routes.ts'
import { answerCall, type TokenAccess } from './answer-call.ts'
import { RouteTable } from './match-route.ts'
import { RateLimit } from './rate-limit.ts'
import type { Answer } from './route.ts'

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
  const server = createServer((request, response) => {
    world.background(async () => {
      try {
        await serve(request, response)
      } catch (error) {
        response.destroy()
        throw error
      }
    })
  })
  const address = await new Promise<string>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', () => {
      const bound = server.address()
      resolve(`127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`)
    })
  })
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
  world.onClose(close)
  return { url: `http://${address}/v1`, close }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request)
    const url = new URL(request.url ?? '/', `http://${address}`)
    const method = request.method ?? 'GET'
    const pass = world.enter('hetzner', method, url.pathname.replace(/^\/v1/, ''))
    if (pass.dropped) return void request.socket.destroy()
    await world.pause('request')
    const authorization = request.headers.authorization
    const answer = await answerCall(front, { method, url, text, authorization }, pass.fault)
    if (!(await pass.leave())) return void request.socket.destroy()
    send(response, answer, front.rate.headers(), world.hex(16))
  }
}

function send(
  response: ServerResponse,
  answer: Answer & { readonly html?: string },
  rate: Record<string, string>,
  correlationId: string,
): void {
  const headers = { ...rate, 'X-Correlation-Id': correlationId, ...answer.headers }
  if (answer.html !== undefined) {
    response.writeHead(answer.status, { 'Content-Type': 'text/html' }).end(answer.html)
    return
  }
  if (answer.body === undefined) {
    response.writeHead(answer.status, headers).end()
    return
  }
  response
    .writeHead(answer.status, { ...headers, 'Content-Type': 'application/json' })
    .end(JSON.stringify(answer.body))
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
