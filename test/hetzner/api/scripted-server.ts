import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createHetznerClient, type HetznerClient } from '../../../src/hetzner/api/hetzner-client.ts'
import { seededRandom } from '../../../src/lib/random.ts'
import { Redactor } from '../../../src/lib/redactor.ts'
import { hurriedClock } from '../hurried-clock.ts'

export const token = 'AbCdEfGhIjKlMnOpQrStUvWxYz012345aBcDeFgHiJkLmNoPqRsTuVwXyZ678901'

interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What the server does with one request: a JSON answer, or anything else by hand. */
export type Step =
  | {
      readonly status: number
      readonly json?: unknown
      readonly headers?: Record<string, string>
    }
  | ((response: ServerResponse, request: SeenRequest) => void)

/** Answers its steps one after the other; what comes after the last gets the last again. */
export async function scriptedServer(steps: readonly Step[]) {
  const seen: SeenRequest[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const request = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    const step = steps[Math.min(seen.length, steps.length - 1)]
    seen.push(request)
    if (typeof step === 'function') return step(response, request)
    response.writeHead(step?.status ?? 500, {
      'Content-Type': 'application/json',
      'X-Correlation-Id': '0123456789abcdef0123456789abcdef',
      ...step?.headers,
    })
    response.end(step?.json === undefined ? undefined : JSON.stringify(step.json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export interface TestClient {
  readonly client: HetznerClient
  readonly clock: ReturnType<typeof hurriedClock>
}

export function testClient(
  endpoint: string,
  options: { signal?: AbortSignal; timeoutMs?: number } = {},
): TestClient {
  const clock = hurriedClock()
  const client = createHetznerClient({
    token,
    endpoint,
    clock,
    random: seededRandom(7),
    redactor: new Redactor(),
    ...options,
  })
  return { client, clock }
}

/** An error as Hetzner answers it. */
export function apiError(code: string, message: string, details: unknown = null) {
  return { error: { code, message, details } }
}

export function actionJson(id: number, status: string, extra: object = {}) {
  return {
    id,
    command: 'create_server',
    status,
    progress: status === 'success' ? 100 : 30,
    started: '2026-11-27T00:00:00Z',
    finished: null,
    resources: [],
    error: null,
    ...extra,
  }
}

export function networkJson(id: number, name: string, labels: Record<string, string> = {}) {
  return {
    id,
    name,
    ip_range: '10.0.0.0/16',
    subnets: [],
    routes: [],
    servers: [],
    protection: { delete: false },
    labels,
    created: '2026-11-27T00:00:00Z',
    expose_routes_to_vswitch: false,
  }
}

/** A page of a list, as Hetzner wraps it. */
export function page(member: string, items: readonly unknown[], next: number | null, total = 0) {
  return {
    [member]: items,
    meta: {
      pagination: {
        page: 1,
        per_page: 50,
        previous_page: null,
        next_page: next,
        last_page: null,
        total_entries: total,
      },
    },
  }
}
