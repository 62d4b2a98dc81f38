import { runPhase } from '../phases/run-phase.ts'
import { type ClusterFile, openStateStore, readClusterFile } from './cluster-session.ts'
import { clusterUnknown } from './cluster-unknown.ts'
import type { RunContext } from './run-context.ts'

export interface ExportedState {
  readonly clusterName: string
  readonly generation: number
  /** Encrypted for the recipients of the cluster file. */
  readonly bundle: Uint8Array
}

/**
 * Puts the newest generation of a cluster's state (secrets, inventory, machine configs, manifest and signature) into
 * one file for its recipients, to be kept elsewhere. Changes nothing; needs no token, and no identity where the
 * cluster file names signers and recipients. Throws `cluster-unknown`, `identity-missing`, and what reading does.
 */
export async function exportState(context: RunContext, file: ClusterFile): Promise<ExportedState> {
  const { spec } = readClusterFile(file)
  await using store = await openStateStore(context, spec)
  const generation = await runPhase(context.progress, 'Read the state branch', () => store.read())
  if (!generation) throw clusterUnknown(spec, 'export the state of')
  return {
    clusterName: spec.clusterName,
    generation: generation.manifest.generation,
    bundle: await store.bundle(generation),
  }
}
