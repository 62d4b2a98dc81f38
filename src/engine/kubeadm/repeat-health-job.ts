import type { Clock } from '../../lib/clock.ts'
import { ClusterError } from '../../lib/cluster-error.ts'

/** How often it is tried, and how long after another, in milliseconds: three minutes in all, with kubeadm's own waits. */
const tries = 6
const pauseMs = 15_000

interface Repeating {
  readonly clock: Pick<Clock, 'sleep'>
  readonly signal: AbortSignal
  readonly onRepeat: (reason: string) => void
}

/**
 * Does what begins with the health check of `kubeadm upgrade apply`: a Job on a control plane that has 15 seconds to
 * complete, which kubeadm has no setting for, and which a slow host can miss. Nothing was changed then, so it is tried again.
 * Whatever else fails, also beside it, is thrown at once.
 */
export async function repeatHealthJob<T>(
  { clock, signal, onRepeat }: Repeating,
  upgrade: () => Promise<T>,
): Promise<T> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await upgrade()
    } catch (error) {
      if (left === 0 || !isSlowHealthJob(error)) throw error
      onRepeat('the Job by which kubeadm sees that pods can run took too long: it is tried again')
      await clock.sleep(pauseMs, signal)
    }
  }
}

function isSlowHealthJob(error: unknown): boolean {
  if (!(error instanceof ClusterError) || error.code !== 'script-failed') return false
  const failed = error.evidence.flatMap((line) => /\[ERROR (\w+)\]: (.*)/.exec(line)?.[0] ?? [])
  const [only, ...others] = failed
  return others.length === 0 && only !== undefined && isTimeout(only)
}

function isTimeout(line: string): boolean {
  return line.startsWith('[ERROR CreateJob]') && line.includes('did not complete in')
}
