import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import type { AnchorAnswer, ProviderWords } from '../../run/mode/machine-provider.ts'
import { openStateStore } from '../../run/open-state-store.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'
import { refuseOlder } from '../../store/trust/refuse-older.ts'

export interface ExportedState {
  readonly clusterName: string
  readonly generation: number
  readonly provider: ProviderWords
  /** How far the state has come as the provider remembers it: never further than this generation. */
  readonly answer: AnchorAnswer
  /** Encrypted for the recipients of the cluster file. */
  readonly bundle: Uint8Array
}

/**
 * Puts the newest generation of a cluster's state (secrets, inventory, machine configs, manifest and signature) into
 * one file for its recipients, to be kept elsewhere. Changes nothing; needs no token, and no identity where the
 * cluster file names signers and recipients. Where this run can, the provider is asked whether it is the newest: an
 * older one is `state-rolled-back`, and no bundle is made of it. Throws `cluster-unknown`, `identity-missing`, and what reading does.
 */
export async function exportInMode<S extends StateSession, V extends KnownCluster>(
  { read, machines }: ClusterMode<S, V>,
  context: RunContext,
  file: ClusterFile,
): Promise<ExportedState> {
  const { spec } = read(file)
  await using store = await openStateStore(context, spec)
  const generation = await runPhase(context.progress, 'Read the state branch', () => store.read())
  if (!generation) {
    await machines.refuseLost(context, { file, spec })
    throw clusterUnknown(spec, 'export the state of')
  }
  const answer = await machines.askAnchor(context, { file, spec }, generation)
  if (answer.kind === 'answered' && answer.anchor) {
    refuseOlder(generation, answer.anchor, `${machines.name} remembers`)
  }
  return {
    answer,
    clusterName: spec.clusterName,
    generation: generation.manifest.generation,
    provider: machines,
    bundle: await store.bundle(generation),
  }
}
