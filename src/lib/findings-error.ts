import { ClusterError } from './cluster-error.ts'
import type { ErrorCode } from './error-codes.ts'
import { type Finding, hasErrors } from './finding.ts'

/** A file or a plan that cannot be gone on with, with everything that is wrong with it. */
export class FindingsError extends ClusterError {
  readonly findings: readonly Finding[]

  constructor(
    code: Extract<ErrorCode, `spec-${string}` | 'plan-refused'>,
    findings: readonly Finding[],
  ) {
    const errors = findings.filter((finding) => finding.severity === 'error').length
    super(code, `${errors === 1 ? 'one mistake' : `${errors} mistakes`}; nothing was changed`)
    this.findings = findings
  }
}

/** Throws when there is an error among the findings. */
export function refuseErrors(
  code: ConstructorParameters<typeof FindingsError>[0],
  findings: readonly Finding[],
): void {
  if (hasErrors(findings)) throw new FindingsError(code, findings)
}
