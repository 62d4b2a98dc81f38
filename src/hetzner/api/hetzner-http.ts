import type { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { RecordExchange } from '../../lib/http-exchange.ts'
import type { Json } from '../../lib/json.ts'
import { createLimit, type Limit } from '../../lib/limit.ts'
import type { Random } from '../../lib/random.ts'
import { retry } from '../../lib/retry.ts'
import { exchange } from './exchange.ts'
import type { HttpMethod } from './failure-meaning.ts'
import { HetznerApiError } from './hetzner-api-error.ts'
import type { RateGovernor } from './rate-governor.ts'
import { type Repeat, retryPolicyFor } from './retry-policy.ts'

export type Query = Readonly<Record<string, string | number | readonly (string | number)[]>>

export interface ApiRequest<T> {
  readonly method: HttpMethod
  /** Below the endpoint, with its slash: `/servers/42`. */
  readonly path: string
  /** Lists become repeated keys, as Hetzner wants them. */
  readonly query?: Query
  readonly body?: Json
  /** What is read of the answer; unknown fields are dropped. */
  readonly schema: z.ZodType<T>
  /** Defaults to `any`. */
  readonly repeat?: Repeat
  /** For errors: `create server`. */
  readonly operation: string
  readonly target?: string | undefined
}

/** One request that went out, retries counted singly. */
export interface RequestReport {
  readonly method: HttpMethod
  readonly path: string
  /** 0 where no answer came. */
  readonly status: number
  readonly attempt: number
}

export interface HttpParts {
  readonly token: string
  readonly endpoint: string
  readonly clock: Clock
  readonly random: Random
  readonly governor: RateGovernor
  readonly scrub: (text: string) => string
  readonly userAgent: string
  readonly timeoutMs: number
  readonly concurrentWrites: number
  readonly onRequest?: ((report: RequestReport) => void) | undefined
  readonly record?: RecordExchange | undefined
}

/** No name is created more often than this in one run: an account was closed over such a loop once. */
const createsPerName = 5

/**
 * The chain that every request passes: turn of the rate governor, one exchange, error by code,
 * retry, parse. One per client and run; it counts what goes out.
 */
export class HetznerHttp {
  readonly #parts: HttpParts
  readonly #writes: Limit
  readonly #creates = new Map<string, number>()
  #requests = 0
  #heard = false
  #serverTime = Number.NaN

  constructor(parts: HttpParts) {
    this.#parts = parts
    this.#writes = createLimit(parts.concurrentWrites)
  }

  get clock(): Clock {
    return this.#parts.clock
  }

  get random(): Random {
    return this.#parts.random
  }

  /** Hetzner's clock at the last answer, in milliseconds since the epoch and to the second; undefined before one. */
  get serverTime(): number | undefined {
    return Number.isNaN(this.#serverTime) ? undefined : this.#serverTime
  }

  /** How many requests went out, retries included. */
  get requests(): number {
    return this.#requests
  }

  /** Sends it, again where that is safe and promising, and returns what `schema` reads of the answer. */
  async request<T>(request: ApiRequest<T>, signal: AbortSignal | undefined): Promise<T> {
    const { method, repeat = 'any' } = request
    if (repeat === 'once') this.#countCreate(request)
    const { clock, random } = this.#parts
    const policy = retryPolicyFor(repeat, () => this.#heard)
    const environment = { clock, random, ...(signal ? { signal } : {}) }
    const run = () =>
      retry((attempt) => this.#attempt(request, attempt, signal), policy, environment)
    return method === 'GET' ? run() : this.#writes(run)
  }

  async #attempt<T>(
    request: ApiRequest<T>,
    attempt: number,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { token, endpoint, governor, scrub, userAgent, timeoutMs, onRequest, record } =
      this.#parts
    const { method, path, query, body, operation, target } = request
    const fullPath = `${path}${formatQuery(query)}`
    await governor.turn(signal)
    this.#requests++
    let status = 0
    try {
      const answer = await exchange(
        {
          method,
          url: `${endpoint}${fullPath}`,
          headers: {
            Authorization: `Bearer ${token}`,
            Accept: 'application/json',
            'User-Agent': userAgent,
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          },
          body,
          timeoutMs,
          signal,
          operation,
          target,
          scrub,
        },
        (heardStatus, headers, text) => {
          status = heardStatus
          this.#heard = true
          this.#serverTime = Date.parse(headers.get('date') ?? '')
          governor.hear(headers)
          record?.({
            front: 'hetzner',
            method,
            path: fullPath,
            request: body === undefined ? undefined : JSON.stringify(body),
            status: heardStatus,
            headers,
            // Hetzner quotes half of the token in one of its refusals.
            response: scrub(text),
          })
        },
      )
      return parseAnswer(request, answer)
    } finally {
      onRequest?.({ method, path, status, attempt })
    }
  }

  #countCreate({ path, target = '', operation }: ApiRequest<unknown>): void {
    const key = `${path} ${target}`
    const made = (this.#creates.get(key) ?? 0) + 1
    this.#creates.set(key, made)
    if (made <= createsPerName) return
    throw new ClusterError(
      'hetzner-failed',
      `Hetzner was asked ${createsPerName} times to create it; this run does not ask again`,
      { operation, target, hint: 'Look at the failures above, then run again.' },
    )
  }
}

function parseAnswer<T>(
  { method, schema, operation, target }: ApiRequest<T>,
  { status, body }: { status: number; body: unknown },
): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new HetznerApiError({
    source: 'answer',
    method,
    status,
    apiCode: '',
    message: `Hetzner's answer has an unexpected shape at ${issue?.path.join('.') ?? '?'}: ${issue?.message ?? ''}`,
    operation,
    target,
  })
}

function formatQuery(query: Query | undefined): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) params.append(key, String(item))
  }
  return params.size === 0 ? '' : `?${params}`
}
