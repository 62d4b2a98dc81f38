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
