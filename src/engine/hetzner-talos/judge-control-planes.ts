import { ClusterError } from '../../lib/cluster-error.ts'
import { waitFor } from '../../lib/wait-for.ts'
import type { JudgedNode } from '../../planner/hetzner-talos/plan-restore.ts'
import type { NodeAddress } from '../../run/hetzner-talos/cluster-access.ts'
import type { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { isTransient } from '../../talos/api/talos-status.ts'
import { judgeEtcd } from '../../talos/etcd/judge-etcd.ts'
import { probeNode } from '../../talos/probe-node.ts'

/** How long a control plane may take to say what it has, in milliseconds: it may be rebooting. */
const patienceMs = 5 * 60_000

/** Asks every control plane whose server exists what it has of etcd; changes nothing. */
export function judgeControlPlanes(
  context: RunContext,
  reach: ClusterReach,
): Promise<readonly JudgedNode[]> {
  return runPhase(
    context.progress,
    'Look at etcd',
    async (phase) =>
      Promise.all(
        reach
          .controlPlanes()
          .map((node) => judgeNode(context, reach, node, (reason) => phase.step(reason))),
      ),
    (judged) => judged.map(({ name, condition }) => `${name}: ${condition}`).join(', ') || 'none',
  )
}

async function judgeNode(
  { clock, signal }: RunContext,
  reach: ClusterReach,
  { name, address }: NodeAddress,
  onPending: (reason: string) => void,
): Promise<JudgedNode> {
  const access = await reach.access()
  const judge = async () => {
    const probe = await probeNode(address, { signal })
    if (probe.state === 'unreachable') return { pending: `${name}: ${probe.reason}` }
    if (probe.state === 'maintenance') return { done: 'maintenance' as const }
    try {
      const condition = await judgeEtcd(access.talos(address))
      return condition === 'unclear' ? { pending: `${name} is on its way` } : { done: condition }
    } catch (error) {
      if (!isTransient(error)) throw error
      return { pending: `${name}: ${error instanceof Error ? error.message : error}` }
    }
  }
  const wait = { clock, signal, everyMs: 2_000, withinMs: patienceMs, onPending }
  try {
    return { name, condition: await waitFor(`${name} to report its etcd`, judge, wait) }
  } catch (error) {
    if (error instanceof ClusterError && error.code === 'wait-timeout') {
      return { name, condition: 'unreachable' }
    }
    throw error
  }
}

/** What a restore may do. */
export interface RestoreWord {
  readonly resumes: boolean
  /** Somebody said that what is newer than the snapshot may be lost. */
  readonly discardEtcd: boolean
  /** Control planes whose data is newer than the snapshot, or may be. */
  readonly newer: readonly string[]
}

/**
 * Refuses to restore what is not lost: unknown is not absent, so a control plane that exists and does not
 * answer counts as one that may come back with a vote. Throws `etcd-alive`.
 */
export function refuseUnlost(
  judged: readonly JudgedNode[],
  { resumes, discardEtcd, newer }: RestoreWord,
): void {
  const silent = judged.find(({ condition }) => condition === 'unreachable')
  if (silent) {
    throw etcdAlive(
      `${silent.name} does not answer, and may be a member of an etcd that lives`,
      'See that it answers, or delete its server in the Hetzner console if it is lost: it is recreated then.',
    )
  }
  if (resumes || discardEtcd) return
  const alive = judged.find(({ condition }) => condition === 'alive')
  if (alive) {
    throw etcdAlive(
      `the etcd of ${alive.name} is alive`,
      'Take a snapshot of it first (`hcloud-talos snapshot`), then give --discard-etcd (the input discard-etcd) to go back all the same.',
    )
  }
  if (newer.length === 0) return
  throw etcdAlive(
    `${newer.join(' and ')} survived with data of etcd that is newer than this snapshot, or may be`,
    'Take a snapshot of the survivor with `hcloud-talos snapshot`, which needs no quorum, and restore that one; to lose what is newer all the same, give --discard-etcd (the input discard-etcd).',
  )
}

function etcdAlive(message: string, hint: string): ClusterError {
  return new ClusterError('etcd-alive', `${message}; nothing was touched`, {
    operation: 'restore etcd',
    hint,
  })
}
