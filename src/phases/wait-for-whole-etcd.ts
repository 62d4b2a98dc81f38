import type { Clock } from '../lib/clock.ts'
import { waitFor } from '../lib/wait-for.ts'
import type { ControlPlane } from '../talos/control-plane.ts'
import { etcdProblems } from '../talos/etcd-health.ts'
import type { MemberName } from '../talos/etcd-member.ts'

export interface WholeEtcdWait {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How long it may take, in milliseconds. */
  readonly withinMs: number
  readonly onPending: (problem: string) => void
  /** Nodes whose members may be there or not: those that are about to join, or to leave. */
  readonly besides?: readonly MemberName[] | undefined
}

/**
 * Waits until nothing is wrong with etcd: before a member is taken away for a while, and after it came
 * back, so that never two are away at once. Throws `wait-timeout` with the first problem.
 */
export async function waitForWholeEtcd(
  controlPlanes: readonly ControlPlane[],
  wait: WholeEtcdWait,
): Promise<void> {
  await waitFor(
    'etcd to be whole',
    async () => {
      const [problem] = await etcdProblems(controlPlanes, wait.besides)
      return problem === undefined ? { done: true } : { pending: problem }
    },
    {
      ...wait,
      everyMs: 2_000,
      hint: 'mend etcd first (`talosctl etcd status` shows what is wrong), then run again: it goes on with what is left',
    },
  )
}
