import { knownResources } from '../../hetzner/known-resources.ts'
import { writeAnchor } from '../../hetzner/state-anchor.ts'
import { deleteTemporaryRule } from '../../hetzner/temporary-rules.ts'
import { isClusterError } from '../../lib/cluster-error.ts'
import type { HeldByRun } from '../../run/held-by-run.ts'
import { connectHetzner } from '../../run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../run/open-state-store.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateStore } from '../../store/state-store.ts'

/**
 * Undoes what a run holds on to beyond its end, for a step that comes after it: deletes the temporary firewall rule
 * of its own address, anchors what the run wrote, and gives the lock back if the run was killed while it held it.
 * It needs no cluster file: a later checkout may have taken it away. Fine when there is nothing to undo.
 */
export async function closeRun(
  context: RunContext,
  { clusterName, uid, state, process }: HeldByRun,
): Promise<void> {
  if (uid !== undefined) {
    await runPhase(context.progress, 'Delete the temporary firewall rule of this run', () =>
      deleteTemporaryRule(connectHetzner(context), {
        identity: { clusterName, uid },
        runId: context.run.id,
      }),
    )
  }
  if (!state) return
  await using store = await openStateStore(context, { clusterName, state })
  try {
    // A lock of that very process is taken at once, and released when the store is closed. Meanwhile it is in our own
    // name: that process has ended, and a lock in its name is anybody's of this job.
    await store.lock({ waitMs: 0, actsFor: process })
    await anchorKilled(context, clusterName, store)
  } catch (error) {
    if (!isClusterError(error, 'state-locked')) throw error
  }
}

/** A run that was killed wrote generations that Hetzner does not remember: the branch could go back behind them. */
async function anchorKilled(
  context: RunContext,
  clusterName: string,
  store: StateStore,
): Promise<void> {
  const generation = await store.read()
  // What nobody vouches for may say anything, and an anchor is for good.
  if (!generation || store.trust === 'nobody') return
  const { uid, generation: number, keyEpoch } = generation.manifest
  const firewallId = knownResources(generation.inventory).ids.get(`firewall/${clusterName}`)
  await writeAnchor(
    connectHetzner(context),
    { clusterName, uid },
    { generation: number, keyEpoch },
    { known: undefined, firewallId },
  )
}
