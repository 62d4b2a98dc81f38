import { ClusterError } from './cluster-error.ts'
import type { ErrorCode } from './error-codes.ts'
import { type Finding, hasErrors } from './finding.ts'

/** A file or a plan that cannot be gone on with, with everything that is wrong with it. */
export class FindingsError extends ClusterError {
  readonly findings: readonly Finding[]
  /** What the findings are about. */
  readonly file: string

  constructor(
    code: Extract<ErrorCode, `spec-${string}` | 'plan-refused'>,
    findings: readonly Finding[],
    file: string,
  ) {
    const errors = findings.filter((finding) => finding.severity === 'error').length
    super(code, `${errors === 1 ? 'one mistake' : `${errors} mistakes`}; nothing was changed`, {
      target: file,
    })
    this.findings = findings
    this.file = file
  }
}

/** Throws when there is an error among the findings. */
export function refuseErrors(
  code: ConstructorParameters<typeof FindingsError>[0],
  findings: readonly Finding[],
  file: string,
): void {
  if (hasErrors(findings)) throw new FindingsError(code, findings, file)
}
