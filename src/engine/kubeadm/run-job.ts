import { ClusterError } from '../../lib/cluster-error.ts'
import { followJob, outliveJob } from '../../ssh/follow-job.ts'
import { removeJob, startJob } from '../../ssh/job.ts'
import { describeHost } from '../../ssh/ssh-host.ts'
import type { RemoteHost } from '../../ssh/ssh-pool.ts'

export interface HostJob {
  /** Lower-case words with hyphens: `kubeadm-join`. One of a name at a time on a host. */
  readonly name: string
  /** What it does, as half a sentence: `join the cluster`. */
  readonly title: string
  readonly script: string
  /** They may be secrets. */
  readonly args?: readonly string[]
  /** How long it may take. */
  readonly minutes: number
  /** Each line of its log, without secrets. */
  readonly onLine?: (line: string) => void
  readonly hint?: string
}

/** How long asking for its end may take beyond its own time, in milliseconds. */
const spareMs = 60_000

/**
 * Runs something on a host to its end, over as many connections as that takes. What a run that died left running there is
 * waited for before: two of a name never run at once, and nothing is killed half way. Throws `script-failed` with the end
 * of its log.
 */
export async function runJob(remote: RemoteHost, job: HostJob): Promise<void> {
  const { name, title, script, args = [], minutes, onLine, hint } = job
  const withinMs = minutes * 60_000
  await outliveJob(remote, name, { withinMs: withinMs + spareMs })
  await startJob(remote, { name, text: script, args, withinMs })
  const { code, lastLines } = await followJob(remote, name, {
    withinMs: withinMs + spareMs,
    ...(onLine && { onLine }),
  })
  await removeJob(remote, name)
  if (code === 0) return
  throw new ClusterError('script-failed', `${remote.host.name} could not ${title}`, {
    operation: title,
    target: describeHost(remote.host),
    evidence: [`exit code ${code}`, ...lastLines],
    hint: hint ?? 'Fix on the host what its log shows above, then run again: it continues there.',
  })
}
