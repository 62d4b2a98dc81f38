import { ClusterError } from './cluster-error.ts'
import { type Finding, formatPath } from './finding.ts'
import { laterFailures, originalFailure } from './original-failure.ts'
import { visibleLine } from './visible-text.ts'

/** How an error is described to people: what, while doing what to whom, and what to do about it. */
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
export function describeError(thrown: unknown): ErrorDescription {
  const { details, ...described } = describeOne(originalFailure(thrown))
  const later = laterFailures(thrown).map(
    (message) => `then, while cleaning up: ${visibleLine(message)}`,
  )
  return { ...described, details: [...details, ...later] }
}

function describeOne(error: unknown): ErrorDescription {
  if (error instanceof ClusterError) {
    const { operation, target = '' } = error
    const where = operation === undefined ? `in: ${target}` : `while: ${operation} ${target}`
    return {
      headline: `${error.code}: ${visibleLine(error.message)}`,
      details: [
        ...(operation === undefined && target === '' ? [] : [visibleLine(where)]),
        ...error.evidence.map(visibleLine),
        ...(error.hint === undefined ? [] : [`hint: ${visibleLine(error.hint)}`]),
      ],
      exitCode: error.exitCode,
    }
  }
  const bug = error instanceof Error ? error : new Error(String(error))
  return {
    headline: `a bug in hcloud-talos: ${visibleLine(bug.message)}`,
    details: [...placesIn(bug), 'Please report it with these lines.'],
    exitCode: bugExitCode,
  }
}

/** The lines of a stack that name a place: before them stands the message again, in lines of whoever worded it. */
function placesIn({ stack = '' }: Error): string[] {
  return stack.split('\n').filter((line) => /^ {4}at /.test(line))
}

/** `cluster.yaml:3:5: error: nodes.workers.count: must be …`, one line, as compilers write it. */
export function describeFinding(file: string, finding: Finding): string {
  const { severity, path, message, hint, position } = finding
  const where = position === undefined ? file : `${file}:${position.line}:${position.column}`
  const name = formatPath(path)
  // Most messages name the field themselves.
  const field = path.length === 0 || message.startsWith(name) ? '' : `${name}: `
  return visibleLine(
    `${where}: ${severity}: ${field}${message}${hint === undefined ? '' : ` (${hint})`}`,
  )
}
