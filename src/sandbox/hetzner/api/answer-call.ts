import type { RequestFaultKind } from '../../faults.ts'
import type { HttpRequest } from '../../serve-http.ts'
import type { World } from '../../world.ts'
import { judgeRequest, noteAnswer } from '../judge-request.ts'
import { ApiError, conflict, limitExceeded, locked, noCapacity } from './api-error.ts'
import { addFutureFields, addFutureValues } from './future-answer.ts'
import type { RouteTable } from './match-route.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Answer, Route } from './route.ts'
import { validateBody } from './validate-body.ts'

export type TokenAccess = 'read-write' | 'read-only'

export interface Front {
  readonly world: World
  readonly routes: RouteTable
  readonly rate: RateLimit
  readonly tokens: Readonly<Record<string, TokenAccess>>
}

/** An answer of the API, or what a broken proxy before it sends. */
export type RawAnswer = Answer & { readonly html?: string }

/**
 * Answers one request with Hetzner's order of checks: route, token, right to write, rate, JSON,
 * fields; then the handler's own. Never throws but for a bug of the sandbox.
 */
export async function answerCall(front: Front, request: HttpRequest): Promise<RawAnswer> {
  try {
    const answer = await handle(front, request)
    return { ...answer, ...(answer.body && { body: inTheFuture(front.world, answer.body) }) }
  } catch (error) {
    if (error instanceof HtmlAnswer) return { status: 502, html: error.message }
    if (!(error instanceof ApiError)) throw error
    const { status, code, message, details } = error
    return { status, body: { error: { code, message, details } } }
  }
}

/** What a proxy in front of the API answers when the API is gone. */
class HtmlAnswer extends Error {}

async function handle(
  front: Front,
  { method, url, text, authorization, headers, fault }: HttpRequest,
): Promise<Answer> {
  const { world } = front
  const path = url.pathname.startsWith('/v1/') ? url.pathname.slice(3) : ''
  const match = front.routes.match(method, path)
  if (match === undefined) throw new ApiError(404, 'not_found', 'api route not found')
  const token = authorization?.replace(/^Bearer /i, '') ?? ''
  const access = authorize(front, token)
  if (match.route === undefined) {
    throw new ApiError(405, 'method_not_allowed', 'method is not allowed')
  }
  if (access === 'read-only' && method !== 'GET') {
    throw new ApiError(403, 'forbidden', 'insufficient permissions for this request')
  }
  if (!front.rate.take()) throw rateLimited(world)
  if (fault !== undefined) throw failure(world, fault, token)
  const strict = (message: string) => world.contractErrors.push(`${method} ${path}: ${message}`)
  const body = readBody(match.route, text, strict)
  checkQuery(match.route, url.searchParams, strict)
  const id = Number(match.params['id'] ?? 0)
  if (!Number.isSafeInteger(id)) throw new ApiError(404, 'not_found', 'resource not found')
  const isProduct = /^hcloud-talos/.test(headers['user-agent'] ?? '')
  const judged = isProduct ? { world, route: match.route, id, body } : undefined
  if (judged) await judgeRequest(judged)
  const answer = await match.route.handle(
    {
      world,
      state: world.hetzner,
      id,
      query: url.searchParams,
      url: url.href,
    },
    body,
  )
  if (judged) noteAnswer(judged, answer)
  return answer
}

function authorize({ tokens }: Front, token: string): TokenAccess {
  if (token === '') throw new ApiError(401, 'unauthorized', 'token is required')
  const access = Object.hasOwn(tokens, token) ? tokens[token] : undefined
  if (access === undefined) {
    throw new ApiError(401, 'unauthorized', 'the token you have provided is invalid')
  }
  return access
}

function rateLimited(world: World): ApiError {
  const text = `limit of ${world.requestsPerHour} requests per hour reached`
  return new ApiError(429, 'rate_limit_exceeded', text)
}

/** The refusal that a fault stands for. One wording of the 429 quotes half of the token. */
function failure(
  world: World,
  fault: Exclude<RequestFaultKind, 'drop-before' | 'drop-after'>,
  token: string,
): Error {
  switch (fault) {
    case 'conflict':
      return conflict()
    case 'locked':
      return locked()
    case 'rate-limit':
      return rateLimited(world)
    case 'rate-limit-token':
      return new ApiError(
        429,
        'rate_limit_exceeded',
        `Limit of '${world.requestsPerHour}' requests per hour for token '${token.slice(0, 32)}...' reached.`,
      )
    case 'bad-gateway':
    case 'truncate':
    case 'ignore-range':
    case 'wrong-range':
    case 'strange-page':
      return new HtmlAnswer('<html><body><h1>502 Bad Gateway</h1></body></html>')
    case 'timeout':
      return new ApiError(504, 'timeout', 'the request took too long')
    case 'server-error':
      return new ApiError(500, 'server_error', 'an internal error occurred')
    case 'unavailable':
      return new ApiError(503, 'unavailable', 'the service is not available')
    case 'no-capacity':
      return noCapacity()
    case 'limit':
      return limitExceeded('server', 'server_limit')
  }
}

function readBody(route: Route, text: string, strict: (message: string) => void): unknown {
  if (route.body === undefined) {
    if (text !== '' && text !== '{}') strict('takes no body')
    return undefined
  }
  const body = parseJson(text)
  validateBody(route.body, body, strict)
  return body
}

function parseJson(text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError(400, 'json_error', 'invalid JSON in the request')
  }
}

function checkQuery(route: Route, query: URLSearchParams, strict: (message: string) => void): void {
  const unknown = [...new Set(query.keys())].filter((key) => !route.query.includes(key))
  if (unknown.length === 0) return
  for (const key of unknown) strict(`unknown query key ${key}`)
  throw new ApiError(422, 'invalid_input', `invalid input in field '${unknown[0]}'`, {
    fields: unknown.map((name) => ({ name, messages: ['unknown query key'] })),
  })
}

function inTheFuture(world: World, body: Answer['body']): Record<string, unknown> {
  const values = world.faults.unknownEnumValues ? addFutureValues({ ...body }) : { ...body }
  return world.faults.unknownFields ? addFutureFields(values) : values
}
