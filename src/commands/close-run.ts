import { closeRunnerAccess } from '../hetzner/runner-access.ts'
import { writeAnchor } from '../hetzner/state-anchor.ts'
import { isClusterError } from '../lib/cluster-error.ts'
import { runPhase } from '../phases/run-phase.ts'
import { type ClusterFile, type ClusterSession, openSession } from './cluster-session.ts'
import type { RunContext } from './run-context.ts'

export interface CloseRunOptions {
  /** False for a run that takes no lock, and may have no right to: then there is none to give back. */
  readonly tookLock?: boolean
}

/**
 * Undoes what a run holds on to beyond its end, for a step that comes after it: shuts the door that it
 * opened for its own address, anchors what the run wrote, and gives the lock back if the run was killed while
 * it held it. Fine when there is nothing to undo.
 */
export async function closeRun(
  context: RunContext,
  file: ClusterFile,
  { tookLock = true }: CloseRunOptions = {},
): Promise<void> {
  await using session = await openSession(context, file)
  const { spec, store, hetzner } = session
  const generation = await store.read()
  if (generation) {
    const identity = { clusterName: spec.clusterName, uid: generation.inventory.uid }
    await runPhase(context.progress, 'Shut the door of this run', () =>
      closeRunnerAccess(hetzner, { identity, runId: context.run.id }),
    )
  }
  if (!tookLock) return
  try {
    // A lock of this very run is taken again at once, and released when the session is closed.
    await store.lock({ waitMs: 0 })
    await anchorKilled(session)
  } catch (error) {
    if (!isClusterError(error, 'state-locked')) throw error
  }
}

/** A run that was killed wrote generations that Hetzner does not remember: the branch could go back behind them. */
async function anchorKilled({ spec, store, hetzner }: ClusterSession): Promise<void> {
  const { known, trust } = store
  // What nobody vouches for may say anything, and an anchor is for good.
  if (!known || trust === 'nobody') return
  const { uid, generation, keyEpoch } = known.manifest
  const { clusterName } = spec
  await writeAnchor(hetzner, { clusterName, uid }, { generation, keyEpoch }, undefined)
}
