import type { DescMethod } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import type { Clock } from '../../lib/clock.ts'
import type { Random } from '../../lib/random.ts'
import { retry } from '../../lib/retry.ts'
import { isRepeatable } from './is-repeatable.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'
import { isTransient, talosStatus, translateFailure } from './talos-status.ts'

export interface RetryingOptions {
  readonly clock: Clock
  readonly random: Random
  /** How often a call is put again at most; 4. */
  readonly retries?: number | undefined
  /**
   * How long everything that is asked of this caller may take together, in milliseconds from now:
   * afterwards each call fails as `talos-unreachable`. No limit when it is not given.
   */
  readonly withinMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const baseMs = 250
const maxMs = 4_000

/**
 * A caller that puts a call again, after a wait that grows, when it failed for a moment (`isTransient`)
 * and only reads: what changes something is never repeated here. A stream begins again only as long as
 * it has brought nothing. Waits at least as long as the node asks for.
 */
export function retryingCaller(
  caller: TalosCaller,
  { clock, random, retries = 4, withinMs, signal }: RetryingOptions,
): TalosCaller {
  const end = withinMs === undefined ? Number.POSITIVE_INFINITY : clock.now() + withinMs
  const inTime = (method: DescMethod, options: CallOptions = {}): CallOptions => {
    const leftMs = end - clock.now()
    if (leftMs <= 0) throw tooLate(method, caller.address)
    if (!Number.isFinite(leftMs)) return options
    const timeoutMs = Math.min(options.timeoutMs ?? leftMs, leftMs)
    return { ...options, timeoutMs }
  }
  const attempts = async <T>(
    method: DescMethod,
    options: CallOptions | undefined,
    attempt: (options: CallOptions) => Promise<T>,
    mayRepeat: () => boolean = () => true,
  ): Promise<T> => {
    let askedToWait = 0
    let last: unknown
    return retry(
      async () => {
        if (askedToWait > 0) await clock.sleep(askedToWait, signal)
        // What the node said tells more than that there is no time to ask again.
        if (last !== undefined && clock.now() >= end) throw last
        return attempt(inTime(method, options))
      },
      {
        retries: isRepeatable(method) ? retries : 0,
        baseMs,
        maxMs,
        retryable: (error) => isTransient(error) && mayRepeat() && clock.now() < end,
        onRetry: (error, _, waitMs) => {
          last = error
          askedToWait = Math.max(0, (talosStatus(error)?.details.retryAfterMs ?? 0) - waitMs)
        },
      },
      { clock, random, ...(signal && { signal }) },
    )
  }
  return {
    address: caller.address,
    unary: (method, request, options) =>
      attempts(method, options, (inside) => caller.unary(method, request, inside)),
    async *stream(method, request, options) {
      const begin = async (inside: CallOptions) => {
        const answers = caller.stream(method, request, inside)
        return { answers, first: await answers.next() }
      }
      const { answers, first } = await attempts(method, options, begin)
      try {
        if (!first.done) yield first.value
        yield* answers
      } finally {
        await answers.return()
      }
    },
    upload: (method, requests, options) => caller.upload(method, requests, inTime(method, options)),
    duplex: (method, requests, options) => caller.duplex(method, requests, inTime(method, options)),
  }
}

function tooLate({ name }: DescMethod, address: string): Error {
  const details = 'the time for the whole operation is over'
  return translateFailure({ code: status.DEADLINE_EXCEEDED, details }, { method: name, address })
}
