import type { RetryPolicy } from '../../lib/retry.ts'
import { HetznerApiError, isHetznerError } from './hetzner-api-error.ts'

/**
 * How often a request may be made. `any`: doing it twice is the same as once. `once`: it makes
 * something new, so it is repeated only if it surely had no effect.
 */
export type Repeat = 'any' | 'once'

/** hcloud-go retries these, POST included, 5 times with 1 to 60 seconds in between. */
const transient = ['conflict', 'rate_limit_exceeded', 'bad_gateway', 'timeout']

/** Of these it is sure that nothing was done. */
const refused = ['conflict', 'rate_limit_exceeded']

/** What may pass: 15 to 31 seconds in all. */
const usualRetries = 5

/**
 * Others may hold the project's limit down for minutes, and it refills only by one each second: two and
 * a half to five minutes in all, but for what the rate governor adds.
 */
const rateLimitRetries = 10

/** An answer that cannot be read may be a proxy's that restarts; another shape stays another shape. */
const unreadableTries = 2

/** An address that has never answered is tried once more, not for a minute: it is likely mistyped. */
const triesOfSilentAddress = 1

/** `heard` tells whether this run has had any answer yet. */
export function retryPolicyFor(repeat: Repeat, heard: () => boolean): RetryPolicy {
  let silent = 0
  let unreadable = 0
  const isWorthIt = (error: HetznerApiError) => {
    if (error.final) return false
    if (error.source === 'connection' && !heard() && ++silent > triesOfSilentAddress) return false
    if (isUnreadableSuccess(error) && ++unreadable > unreadableTries) return false
    return repeat === 'once' ? isRefused(error) : isTransient(error)
  }
  return {
    retries: (error) =>
      isHetznerError(error, 'rate_limit_exceeded') ? rateLimitRetries : usualRetries,
    baseMs: 1_000,
    maxMs: 60_000,
    retryable: (error) => error instanceof HetznerApiError && isWorthIt(error),
  }
}

function isRefused(error: HetznerApiError): boolean {
  return refused.includes(error.apiCode) || error.unsent
}

/** Hetzner's own clients leave 500 and 503 alone; what may be repeated is safe to ask again. */
function isTransient(error: HetznerApiError): boolean {
  if (transient.includes(error.apiCode) || error.source === 'connection') return true
  return error.status >= 500 || isUnreadableSuccess(error)
}

function isUnreadableSuccess({ source, apiCode, status }: HetznerApiError): boolean {
  return source === 'answer' && apiCode === '' && status >= 200 && status < 300
}
