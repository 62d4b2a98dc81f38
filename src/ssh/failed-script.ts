import { ClusterError } from '../lib/cluster-error.ts'
import { lastLines } from './run-script.ts'
import { describeHost } from './ssh-host.ts'
import type { RemoteHost } from './ssh-pool.ts'

interface FailedScript {
  readonly title: string
  readonly code: number
  readonly stderr: string
  readonly hint?: string | undefined
}

/** `script-failed`: a script that had to end well did not; with its code and the end of what it said. */
export function failedScript(
  remote: RemoteHost,
  { title, code, stderr, hint }: FailedScript,
): ClusterError {
  return new ClusterError('script-failed', `${remote.host.name}: cannot ${title}`, {
    operation: title,
    target: describeHost(remote.host),
    evidence: [`exit code ${code}`, ...lastLines(stderr)],
    hint: hint ?? 'Look at the reason above on the host, then run again.',
  })
}
