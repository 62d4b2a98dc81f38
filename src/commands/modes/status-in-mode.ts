import { type ClusterStatus, clusterStatus } from '../../planner/cluster-status.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import type { ClusterLifecycle, ClusterMode } from '../../run/mode/cluster-mode.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'

type StatusMode<S extends StateSession, V extends KnownCluster> = ClusterLifecycle<S, V> &
  Pick<ClusterMode<S, V>, 'description'>

/**
 * A cluster as it is found, and what an apply and an upgrade would do. Changes nothing and opens nothing: what nodes and
 * Kubernetes say is part of it as far as this run reaches them, as for a plan. Throws what a look at the cluster throws.
 */
export async function statusInMode<S extends StateSession, V extends KnownCluster>(
  { open, machines, nodes, life, description }: StatusMode<S, V>,
  context: RunContext,
  { file }: { readonly file: ClusterFile },
): Promise<ClusterStatus> {
  await using session = await open(context, file)
  const observed = await runPhase(context.progress, 'Look at what is there', () =>
    machines.observe(session),
  )
  const view = await nodes.inspect(context, session, observed, {})
  const plan = life.planApply(view, { now: context.calendar.now() })
  return clusterStatus(view, {
    endpoint: description.endpoint(view),
    nodes: description.nodes(view),
    plan,
  })
}
