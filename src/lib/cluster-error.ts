import { type ErrorCode, errorCodes } from './error-codes.ts'

export interface ClusterErrorContext {
  /** What to do about it, as one sentence in the imperative. */
  readonly hint?: string
  /** What was being done, e.g. `create server`. */
  readonly operation?: string
  /** To whom, e.g. `demo-control-plane-1 (10.0.64.1)`. */
  readonly target?: string
  /** Lines that show why, such as the end of a log: what somebody else wrote, without control characters. */
  readonly evidence?: readonly string[]
  /** Whether nobody answered: nothing is known then of what was asked for. */
  readonly isUnanswered?: boolean
  readonly cause?: unknown
}

/**
 * A failure that can be expected: it has a code, says what was being done and what to do next.
 * Anything thrown that is not one of these is a bug and is reported with its stack.
 */
export class ClusterError extends Error {
  override readonly name = 'ClusterError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly operation: string | undefined
  readonly target: string | undefined
  readonly evidence: readonly string[]
  readonly isUnanswered: boolean

  constructor(code: ErrorCode, message: string, context: ClusterErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause })
    this.code = code
    this.hint = context.hint
    this.operation = context.operation
    this.target = context.target
    this.evidence = context.evidence ?? []
    this.isUnanswered = context.isUnanswered ?? false
  }

  /** The process exit code that stands for this failure. */
  get exitCode(): number {
    return errorCodes[this.code]
  }
}

/** Whether `error` is an expected failure, and of one of `codes` where any are given. */
export function isClusterError(error: unknown, ...codes: ErrorCode[]): error is ClusterError {
  return error instanceof ClusterError && (codes.length === 0 || codes.includes(error.code))
}
