import type { ErrorCode } from '../../lib/error-codes.ts'

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Where a failure shows: in an answer, in the lack of one, or in an action that began well. */
export type FailureSource = 'answer' | 'connection' | 'action'

export interface FailureFacts {
  readonly source: FailureSource
  readonly method: HttpMethod
  /** HTTP status; 0 where there is none. */
  readonly status: number
  /** Hetzner's `error.code`; empty where the answer had none. */
  readonly apiCode: string
  /** Hetzner's text, already free of the token. */
  readonly message: string
  /** What `details.fields` complains about. */
  readonly fields?: readonly string[]
  /** Quote it to Hetzner's support. */
  readonly correlationId?: string | undefined
  /** Whether the request surely never reached Hetzner. */
  readonly unsent?: boolean
  /** Whether it would be answered in the same way again. */
  readonly final?: boolean
  readonly operation: string
  readonly target?: string | undefined
}

/**
 * What Hetzner's codes mean to the user. Told apart by code, never by status: Hetzner has used 403
 * for quotas, rate limits and permissions alike.
 */
const meanings: Readonly<Record<string, ErrorCode>> = {
  unauthorized: 'token-invalid',
  resource_limit_exceeded: 'hetzner-limit',
  rate_limit_exceeded: 'hetzner-rate-limit',
  resource_unavailable: 'hetzner-unavailable',
  placement_error: 'hetzner-unavailable',
  no_space_left_in_location: 'hetzner-unavailable',
  maintenance: 'hetzner-unavailable',
  unavailable: 'hetzner-unavailable',
  conflict: 'hetzner-conflict',
  locked: 'hetzner-conflict',
  resource_locked: 'hetzner-conflict',
  uniqueness_error: 'hetzner-conflict',
  resource_in_use: 'hetzner-conflict',
}

const hints: Partial<Record<ErrorCode, string>> = {
  'token-invalid': 'Make a new token in the project (Security, API tokens) and set HCLOUD_TOKEN.',
  'token-read-only': 'Use a token with read and write permission for everything but plan.',
  'hetzner-limit':
    'Delete what is not needed, or ask at https://console.hetzner.com/account/limits for a higher limit.',
  'hetzner-rate-limit':
    'Wait a few minutes and run again; the limit is shared by all that uses the project.',
  'hetzner-unreachable':
    'Check the network and HCLOUD_ENDPOINT, and look at https://status.hetzner.com for an outage.',
  'hetzner-answer': 'Check HCLOUD_ENDPOINT and what proxies stand in between.',
}

export function codeOfFailure(facts: FailureFacts): ErrorCode {
  if (facts.source === 'connection') return 'hetzner-unreachable'
  if (isUnreadable(facts)) return 'hetzner-answer'
  if (facts.apiCode === 'forbidden' || facts.apiCode === 'token_readonly') {
    return facts.method === 'GET' ? 'hetzner-failed' : 'token-read-only'
  }
  // Sent with empty details, so only the text tells it from other invalid input.
  if (facts.message.includes('unsupported location for server type')) return 'hetzner-unavailable'
  return meanings[facts.apiCode] ?? 'hetzner-failed'
}

export function hintOfFailure(facts: FailureFacts): string | undefined {
  if (facts.apiCode === 'protected') {
    return 'Take the protection off in the Hetzner console if it really is to go.'
  }
  return hints[codeOfFailure(facts)]
}

/** An answer that was no answer of Hetzner's API: HTML, an empty body, a shape that we do not know. */
function isUnreadable({ source, apiCode }: FailureFacts): boolean {
  return source === 'answer' && apiCode === ''
}
