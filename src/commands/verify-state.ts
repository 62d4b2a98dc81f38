import { runPhase } from '../phases/run-phase.ts'
import type { StateAudit } from '../store/audit-state.ts'
import type { TrustKind } from '../store/state-trust.ts'
import { type ClusterFile, openStateStore, readClusterFile } from './cluster-session.ts'
import { clusterUnknown } from './cluster-unknown.ts'
import type { RunContext } from './run-context.ts'

export interface VerifiedState extends StateAudit {
  readonly clusterName: string
  readonly branch: string
  /** Whose signatures were believed. */
  readonly trust: TrustKind
}

/**
 * Verifies the state branch of a cluster from its first commit to its last, without asking Hetzner. Needs no
 * identity where the cluster file names its signers. Problems are returned, not thrown. Throws `cluster-unknown`
 * where the branch has never held the cluster.
 */
export async function verifyState(context: RunContext, file: ClusterFile): Promise<VerifiedState> {
  const { spec } = readClusterFile(file)
  await using store = await openStateStore(context, spec)
  const audit = await runPhase(context.progress, 'Verify the state branch', () => store.audit())
  const { clusterName, state } = spec
  if (audit.generations.length + audit.problems.length === 0)
    throw clusterUnknown(spec, 'verify the state of')
  return { ...audit, clusterName, branch: state.branch, trust: store.trust }
}
