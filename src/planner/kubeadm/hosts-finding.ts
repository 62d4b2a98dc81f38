import type { Finding } from '../../lib/finding.ts'

/** A finding about hosts: which one it is stands in the message, since a file may list them in any order. */
export function hostsFinding(
  severity: Finding['severity'],
  message: string,
  hint: string,
  path: Finding['path'] = ['hosts'],
): Finding {
  return { severity, path, message, hint }
}
