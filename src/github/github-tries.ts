import { TooLarge } from '../lib/bounded-bytes.ts'
import type { RetryPolicy } from '../lib/retry.ts'

/** How often GitHub is asked again for what may be asked twice. GraphQL's own failures come without a status. */
export const githubTries: RetryPolicy = {
  retries: 3,
  baseMs: 1_000,
  maxMs: 8_000,
  retryable(error) {
    if (error instanceof Error && error.cause instanceof TooLarge) return false
    const status = error instanceof Error && 'status' in error ? Number(error.status) : undefined
    return status === undefined || status === 429 || status >= 500
  },
}
