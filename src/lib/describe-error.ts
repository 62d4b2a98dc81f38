import { ClusterError } from './cluster-error.ts'
import { type Finding, formatPath } from './finding.ts'

/** How an error is told to people: what, while doing what to whom, and what to do about it. */
export interface ErrorDescription {
  /** One line, for a title or an annotation. */
  readonly headline: string
  /** The lines below it; may be empty. */
  readonly details: readonly string[]
  readonly exitCode: number
}

/** Exit code of what nobody expected. */
const bugExitCode = 1

/** Describes anything that was thrown. Not redacted: the caller passes it through the redactor. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof ClusterError) {
    const doing = [error.operation, error.target].filter((part) => part !== undefined).join(' ')
    return {
      headline: `${error.code}: ${error.message}`,
      details: [
        ...(doing === '' ? [] : [`while: ${doing}`]),
        ...(error.hint === undefined ? [] : [`hint: ${error.hint}`]),
      ],
      exitCode: error.exitCode,
    }
  }
  const bug = error instanceof Error ? error : new Error(String(error))
  return {
    headline: `a bug in hcloud-talos: ${bug.message}`,
    details: [...(bug.stack ?? '').split('\n').slice(1), 'Please report it with these lines.'],
    exitCode: bugExitCode,
  }
}

/** `cluster.yaml:3:5: error: nodes.workers.count: must be …`, one line, as compilers write it. */
export function describeFinding(file: string, finding: Finding): string {
  const { severity, path, message, hint, position } = finding
  const where = position === undefined ? file : `${file}:${position.line}:${position.column}`
  const field = path.length === 0 ? '' : `${formatPath(path)}: `
  return `${where}: ${severity}: ${field}${message}${hint === undefined ? '' : ` (${hint})`}`
}
