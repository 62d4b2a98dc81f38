import type { PhaseProgress } from '../../lib/progress.ts'
import { whereEtcdBegan } from '../../planner/where-etcd-began.ts'
import { anchorState } from '../../run/hetzner-talos/anchor-state.ts'
import type { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import { bootstrapEtcd } from '../../talos/etcd/bootstrap-etcd.ts'
import type { CarryOutInput } from './carry-out.ts'

/** Begins the etcd of a cluster, once in its life, on the control plane that the journal names where it names any. */
export async function bootstrapPlannedEtcd(
  { session, recorder, context, view }: CarryOutInput,
  reach: ClusterReach,
  progress: PhaseProgress,
): Promise<void> {
  const access = await reach.access()
  const [first, ...others] = whereEtcdBegan(
    reach.controlPlanes(),
    session.store.known?.journal ?? [],
  )
  await recorder.flush()
  await session.store.record({ fact: 'etcd-bootstrap-started', node: first.name })
  // From here on a state that has forgotten the secrets would cost the cluster.
  await anchorState(session, view)
  const outcome = await bootstrapEtcd({
    controlPlanes: access.controlPlanes([first, ...others]),
    clock: context.clock,
    signal: context.signal,
    onPending: (reason) => progress.step(reason),
  })
  progress.step(outcome)
  await session.store.record({ fact: 'etcd-bootstrapped', node: first.name })
  recorder.record('Etcd was bootstrapped', (inventory) => ({ ...inventory, bootstrapped: true }))
  await recorder.flush()
}
