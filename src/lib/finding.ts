/** Where in a text something stands; both count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/**
 * Something wrong, or doubtful, with what the user wrote. Findings are data: they are collected and
 * reported all at once, never thrown one by one.
 */
export interface Finding {
  readonly severity: 'error' | 'warning'
  /** Path in the cluster file, e.g. `['nodes', 'workers', 0, 'count']`; empty for the whole file. */
  readonly path: readonly (string | number)[]
  readonly message: string
  /** What to write instead, where that is known. */
  readonly hint?: string
  readonly position?: Position
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error')
}

/** `nodes.workers[0].count`, as people write paths. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
    '',
  )
}
