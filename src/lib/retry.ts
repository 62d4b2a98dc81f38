import type { Clock } from './clock.ts'
import { type Random, randomFraction } from './random.ts'

export interface RetryPolicy {
  /** How many times it is tried again after the first, perhaps by what failed last; 0 never retries. */
  readonly retries: number | ((error: unknown) => number)
  /** Longest wait before the first retry, in milliseconds; doubles with each. */
  readonly baseMs: number
  readonly maxMs: number
  /** Whether this failure is worth another try. */
  readonly retryable: (error: unknown) => boolean
  readonly onRetry?: (error: unknown, attempt: number, waitMs: number) => void
}

export interface RetryEnvironment {
  readonly clock: Clock
  readonly random: Random
  readonly signal?: AbortSignal
}

/**
 * Runs `attempt` until it succeeds, fails for good, or the policy's retries are used up; then throws
 * the last failure. Waits grow exponentially, with jitter between half of the wait and the whole.
 */
export async function retry<T>(
  attempt: (attempt: number) => Promise<T>,
  policy: RetryPolicy,
  { clock, random, signal }: RetryEnvironment,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt(tried)
    } catch (error) {
      const { retries } = policy
      const most = typeof retries === 'number' ? retries : retries(error)
      if (tried >= most || signal?.aborted || !policy.retryable(error)) throw error
      const longest = Math.min(policy.maxMs, policy.baseMs * 2 ** tried)
      const waitMs = longest / 2 + (longest / 2) * randomFraction(random)
      policy.onRetry?.(error, tried + 1, waitMs)
      await clock.sleep(waitMs, signal)
    }
  }
}
