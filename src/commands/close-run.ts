import { closeRunnerAccess } from '../hetzner/runner-access.ts'
import { isClusterError } from '../lib/cluster-error.ts'
import { runPhase } from '../phases/run-phase.ts'
import { type ClusterFile, openSession } from './cluster-session.ts'
import type { RunContext } from './run-context.ts'

export interface CloseRunOptions {
  /** False for a run that takes no lock, and may have no right to: then there is none to give back. */
  readonly tookLock?: boolean
}

/**
 * Undoes what a run holds on to beyond its end, for a step that comes after it: shuts the door that it
 * opened for its own address, and gives the lock back if the run was killed while it held it. Fine when
 * there is nothing to undo.
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
  } catch (error) {
    if (!isClusterError(error, 'state-locked')) throw error
  }
}
