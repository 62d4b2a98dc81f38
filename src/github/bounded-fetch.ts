import { wholeResponse } from '../lib/bounded-bytes.ts'
import type { Clock } from '../lib/clock.ts'

export interface BoundedFetchOptions {
  readonly clock: Clock
  /** Longest time for one answer, on the wall: GitHub's API can accept a request and never answer it. */
  readonly answerMs?: number
  /** Longest time to wait for limits of its use, altogether. */
  readonly limitMs?: number
  /** Told before each wait for a limit. */
  readonly onLimit?: ((message: string) => void) | undefined
  readonly fetch?: typeof globalThis.fetch
  /** Gets each answer, those that are waited over too. */
  readonly onAnswer?: OnAnswer | undefined
}

export type OnAnswer = (
  request: { readonly url: string; readonly method: string; readonly body: string | undefined },
  response: Pick<Response, 'status' | 'headers'>,
  text: string,
) => void

/** GitHub's largest answers are pages of comments, of 64 KiB each. */
const mostBytes = 64 << 20

const defaults = { answerMs: 30_000, limitMs: 300_000 }
/** GitHub's advice for a secondary limit that does not say how long. */
const unsaidMs = 60_000

/**
 * A fetch for GitHub's API that always ends: each answer has its time and its size, and a limit of use, which means that nothing
 * was done, is waited for as GitHub asks, as long as all waits together stay within a bound.
 */
export function boundedFetch(options: BoundedFetchOptions): typeof globalThis.fetch {
  const {
    clock,
    onLimit,
    fetch = globalThis.fetch,
    answerMs,
    limitMs,
    onAnswer,
  } = { ...defaults, ...options }
  let left = limitMs
  return async (input, init) => {
    for (;;) {
      const ended = init?.signal ?? undefined
      const timeout = AbortSignal.timeout(answerMs)
      const signal = ended ? AbortSignal.any([ended, timeout]) : timeout
      // Octokit takes a body that cannot be read for an empty one.
      const response = await wholeResponse(await fetch(input, { ...init, signal }), mostBytes)
      onAnswer?.(requestOf(input, init), response, await response.clone().text())
      const waitMs = await limitOf(response, clock.now())
      if (waitMs === undefined || waitMs > left) return response
      left -= waitMs
      onLimit?.(`GitHub limits how often it is asked: waiting ${Math.ceil(waitMs / 1_000)} s`)
      await clock.sleep(waitMs, ended)
    }
  }
}

function requestOf(input: string | URL | Request, init: RequestInit | undefined) {
  const url = input instanceof Request ? input.url : String(input)
  const { method = 'GET', body } = init ?? {}
  return { url, method, body: typeof body === 'string' ? body : undefined }
}

/** How long a limit of use lasts; undefined for an answer that is none. */
async function limitOf(response: Response, now: number): Promise<number | undefined> {
  if (response.status !== 429 && response.status !== 403) return undefined
  const { headers } = response
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  const hasNone = headers.get('x-ratelimit-remaining') === '0'
  const isLimit =
    response.status === 429 ||
    hasNone ||
    !Number.isNaN(retryAfter) ||
    isLimitText(await response.clone().text())
  if (!isLimit) return undefined
  if (!Number.isNaN(retryAfter)) return Math.max(1, retryAfter) * 1_000
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN) * 1_000
  return hasNone && !Number.isNaN(reset) ? Math.max(1_000, reset - now) : unsaidMs
}

/** Whether GitHub's words are about how often it was asked, and not about a right. */
export function isLimitText(text: string): boolean {
  return /rate limit|abuse detection/i.test(text)
}
