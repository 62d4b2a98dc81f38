import { ClusterError } from '../../lib/cluster-error.ts'
import type { ErrorCode } from '../../lib/error-codes.ts'
import {
  codeOfFailure,
  type FailureFacts,
  type FailureSource,
  type HttpMethod,
  hintOfFailure,
} from './failure-meaning.ts'

/** Nothing is known then of what was asked for: neither that it is as it should be nor that it is not. */
const noAnswer: readonly ErrorCode[] = [
  'hetzner-unreachable',
  'hetzner-unavailable',
  'hetzner-rate-limit',
]

/**
 * Hetzner refused, answered something that cannot be read, or did not answer. It is translated where it
 * enters: callers outside of this domain see an ordinary ClusterError; inside, `apiCode` decides.
 */
export class HetznerApiError extends ClusterError {
  readonly source: FailureSource
  readonly method: HttpMethod
  readonly status: number
  readonly apiCode: string
  readonly fields: readonly string[]
  readonly correlationId: string | undefined
  readonly unsent: boolean
  readonly final: boolean

  constructor(facts: FailureFacts) {
    const hint = hintOfFailure(facts)
    const code = codeOfFailure(facts)
    super(code, describe(facts), {
      operation: facts.operation,
      isUnanswered: noAnswer.includes(code),
      ...(facts.target === undefined ? {} : { target: facts.target }),
      ...(hint === undefined ? {} : { hint }),
    })
    this.source = facts.source
    this.method = facts.method
    this.status = facts.status
    this.apiCode = facts.apiCode
    this.fields = facts.fields ?? []
    this.correlationId = facts.correlationId
    this.unsent = facts.unsent ?? false
    this.final = facts.final ?? false
  }

  /** Whether what was asked for may have been done although no success was heard. */
  get mayHaveTakenEffect(): boolean {
    if (this.source === 'connection') return !this.unsent
    return this.source === 'answer' && (this.status >= 500 || this.status < 300)
  }
}

/** Whether `error` is a refusal of Hetzner's, and one of `codes` where any are given. */
export function isHetznerError(error: unknown, ...codes: string[]): error is HetznerApiError {
  return error instanceof HetznerApiError && (codes.length === 0 || codes.includes(error.apiCode))
}

function describe({ message, apiCode, status, fields = [], correlationId }: FailureFacts): string {
  const about = fields.length > 0 && !fields.some((field) => message.includes(field))
  const marks = [
    ...(apiCode === '' ? [] : [apiCode]),
    ...(status === 0 ? [] : [`HTTP ${status}`]),
    ...(about ? [`fields ${fields.join(', ')}`] : []),
    ...(correlationId === undefined ? [] : [`correlation id ${correlationId}`]),
  ]
  return marks.length === 0 ? message : `${message} (${marks.join(', ')})`
}
