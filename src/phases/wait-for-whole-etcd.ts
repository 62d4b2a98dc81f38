import type { Clock } from '../lib/clock.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { waitFor } from '../lib/wait-for.ts'
import type { ControlPlane } from '../talos/control-plane.ts'
import { etcdProblems, isOutOfSpace, outOfSpaceHint } from '../talos/etcd-health.ts'
import type { MemberName } from '../talos/etcd-member.ts'

export interface WholeEtcdWait {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How long it may take, in milliseconds. */
  readonly withinMs: number
  readonly onPending: (problem: string) => void
  /** Nodes whose members may be there or not: those that are about to join, or to leave. */
  readonly besides?: readonly MemberName[] | undefined
  /** It may be out of space: what is about to be done is the way out of that, or does not write. */
  readonly mayBeFull?: boolean | undefined
}

/**
 * Waits until nothing is wrong with etcd: before a member is taken away for a while, and after it came
 * back, so that never two are away at once. Throws `wait-timeout` with the first problem, and `etcd-unhealthy` at
 * once where it is out of space and nothing else, which never ends by itself.
 */
export async function waitForWholeEtcd(
  controlPlanes: readonly ControlPlane[],
  wait: WholeEtcdWait,
): Promise<void> {
  await waitFor(
    'etcd to be whole',
    async () => {
      const problems = await etcdProblems(controlPlanes, wait.besides)
      const problem = problems.find((one) => !isOutOfSpace(one))
      if (problem !== undefined) return { pending: problem }
      const [full] = problems
      if (full === undefined || wait.mayBeFull) return { done: true }
      throw new ClusterError('etcd-unhealthy', full, { hint: outOfSpaceHint })
    },
    {
      ...wait,
      everyMs: 2_000,
      hint: 'Fix etcd first (`hcloud-talos talos etcd status` shows what is wrong), then run again: it goes on with what is left.',
    },
  )
}
