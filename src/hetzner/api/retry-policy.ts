import type { RetryPolicy } from '../../lib/retry.ts'
import type { HttpMethod } from './failure-meaning.ts'
import { HetznerApiError } from './hetzner-api-error.ts'

/**
 * How often a request may be made. `any`: doing it twice is the same as once. `once`: it makes
 * something new, so it is repeated only if it surely had no effect.
 */
export type Repeat = 'any' | 'once'

/** hcloud-go retries these, POST included, 5 times with 1 to 60 seconds in between. */
const transient = ['conflict', 'rate_limit_exceeded', 'bad_gateway', 'timeout']

/** Of these it is sure that nothing was done. */
const refused = ['conflict', 'rate_limit_exceeded']

/** An address that has never answered is tried once more, not for a minute: it is likely mistyped. */
const triesOfSilentAddress = 1

/** `heard` tells whether this run has had any answer yet. */
export function retryPolicyFor(
  method: HttpMethod,
  repeat: Repeat,
  heard: () => boolean,
): RetryPolicy {
  let silent = 0
  const isWorthIt = (error: HetznerApiError) => {
    if (error.source === 'connection' && !heard() && ++silent > triesOfSilentAddress) return false
    return repeat === 'once' ? isRefused(error) : isTransient(error, method)
  }
  return {
    retries: 5,
    baseMs: 1_000,
    maxMs: 60_000,
    retryable: (error) => error instanceof HetznerApiError && isWorthIt(error),
  }
}

function isRefused(error: HetznerApiError): boolean {
  return refused.includes(error.apiCode) || error.unsent
}

function isTransient(error: HetznerApiError, method: HttpMethod): boolean {
  if (transient.includes(error.apiCode) || error.source === 'connection') return true
  if (error.apiCode === '' && (error.status === 502 || error.status === 504)) return true
  return method === 'GET' && error.status >= 500
}
