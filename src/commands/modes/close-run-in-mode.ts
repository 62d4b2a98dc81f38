import { isClusterError } from '../../lib/cluster-error.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { HeldByRun } from '../../run/held-by-run.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import { openStateStore } from '../../run/open-state-store.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { StateSession } from '../../run/state-session.ts'

/**
 * Undoes what a run holds on to beyond its end, for a step that comes after it: closes the way in to the nodes that it
 * opened for itself, anchors what it wrote, and gives the lock back if the run was killed while it held it.
 * It needs no cluster file: a later checkout may have taken it away. Fine when there is nothing to undo.
 */
export async function closeRunInMode<S extends StateSession, V extends KnownCluster>(
  { machines, nodes }: ClusterMode<S, V>,
  context: RunContext,
  { clusterName, uid, state, process }: HeldByRun,
): Promise<void> {
  if (uid !== undefined) await nodes.closeOwn(context, { clusterName, uid })
  if (!state) return
  await using store = await openStateStore(context, { clusterName, state })
  try {
    // A lock of that very process is taken at once, and released when the store is closed. Meanwhile it is in our own
    // name: that process has ended, and a lock in its name is anybody's of this job.
    await store.lock({ waitMs: 0, actsFor: process })
    const generation = await store.read()
    // A run that was killed wrote generations that the provider does not remember: the branch could go back behind them.
    // What nobody vouches for may say anything, and an anchor is for good.
    if (generation && store.trust !== 'nobody') await machines.anchorGeneration(context, generation)
  } catch (error) {
    if (!isClusterError(error, 'state-locked')) throw error
  }
}
