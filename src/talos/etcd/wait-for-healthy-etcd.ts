import type { Clock } from '../../lib/clock.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { waitFor } from '../../lib/wait-for.ts'
import type { ControlPlane } from '../control-plane.ts'
import { etcdProblems, isOutOfSpace, outOfSpaceHint } from './etcd-health.ts'
import type { MemberName } from './etcd-member.ts'

/** How long a member may take to be healthy before the others are asked whether they can do without it. */
const sparesAfterMs = 30_000

export interface HealthyEtcdWait {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How long it may take, in milliseconds. */
  readonly withinMs: number
  readonly onPending: (problem: string) => void
  /** Nodes whose members may be there or not: those that are about to join, or to leave. */
  readonly besides?: readonly MemberName[] | undefined
  /**
   * What is about to be changed, and so may be what is wrong: when it has been for a while, the others are enough,
   * as long as nothing is wrong with them and they have a leader among them. Who is not serving is not missed.
   */
  readonly spared?: MemberName | undefined
  /** It may be out of space: what is about to be done is the way out of that, or does not write. */
  readonly mayBeFull?: boolean | undefined
}

/**
 * Waits until nothing is wrong with etcd: before a member is taken away for a while, and after it came
 * back, so that never two are away at once. Throws `wait-timeout` with the first problem, and `etcd-unhealthy` at
 * once where it is out of space and nothing else, which never ends by itself.
 */
export async function waitForHealthyEtcd(
  controlPlanes: readonly ControlPlane[],
  wait: HealthyEtcdWait,
): Promise<void> {
  const began = wait.clock.now()
  await waitFor(
    'etcd to be healthy',
    async () => {
      const problems = await etcdProblems(controlPlanes, wait.besides)
      const problem = problems.find((one) => !isOutOfSpace(one))
      if (problem !== undefined) {
        const isPatient = wait.clock.now() - began >= sparesAfterMs
        if (isPatient && (await isHealthyWithout(controlPlanes, wait))) return { done: true }
        return { pending: problem }
      }
      const [full] = problems
      if (full === undefined || wait.mayBeFull) return { done: true }
      throw new ClusterError('etcd-unhealthy', full, { hint: outOfSpaceHint })
    },
    {
      ...wait,
      everyMs: 2_000,
      hint: 'Fix etcd first (`hcloud-talos talos etcd status` shows what is wrong), then run again: it continues with what is left.',
    },
  )
}

async function isHealthyWithout(
  controlPlanes: readonly ControlPlane[],
  { spared, besides = [] }: HealthyEtcdWait,
): Promise<boolean> {
  if (spared === undefined) return false
  const others = controlPlanes.filter(({ name }) => name !== spared.name)
  if (others.length === 0) return false
  return (await etcdProblems(others, [...besides, spared], { leads: true })).length === 0
}
