import { type ClusterError, isClusterError } from '../lib/cluster-error.ts'
import { runPhase } from '../phases/run-phase.ts'
import type { StateAudit } from '../store/audit-state.ts'
import type { Generation } from '../store/generation.ts'
import { refuseOlder } from '../store/refuse-older.ts'
import type { TrustKind } from '../store/state-trust.ts'
import { type AnchorAnswer, askAnchor } from './ask-anchor.ts'
import { type ClusterFile, openStateStore, readClusterFile } from './cluster-session.ts'
import { clusterUnknown } from './cluster-unknown.ts'
import { refuseLost } from './observe-cluster.ts'
import type { RunContext } from './run-context.ts'

export interface VerifiedState extends StateAudit {
  readonly clusterName: string
  readonly branch: string
  /** Whose signatures were believed. */
  readonly trust: TrustKind
  /** What Hetzner remembers of it. */
  readonly answer: AnchorAnswer
}

/**
 * Verifies the state branch of a cluster from its first commit to its last, and asks Hetzner whether that is the newest,
 * where there is a token. Needs no identity where the cluster file names its signers. Problems are returned, not thrown.
 * Throws `cluster-unknown` where the branch has never held the cluster (`state-missing`, if Hetzner has it), and what
 * asking Hetzner does.
 */
export async function verifyState(context: RunContext, file: ClusterFile): Promise<VerifiedState> {
  const { spec } = readClusterFile(file)
  await using store = await openStateStore(context, spec)
  const { progress } = context
  const audit = await runPhase(progress, 'Verify the state branch', () => store.audit())
  const { clusterName, state } = spec
  if (audit.generations.length + audit.problems.length === 0) {
    await refuseLost(context, spec)
    throw clusterUnknown(spec, 'verify the state of')
  }
  const { newest, head = '' } = audit
  // Taken off the branch: by a destroy, or by somebody while the cluster is there.
  if (!newest && audit.problems.length === 0) await refuseLost(context, spec)
  const answer: AnchorAnswer = newest
    ? await runPhase(progress, 'Ask Hetzner how far it has come', () =>
        askAnchor(context, spec, newest),
      )
    : { kind: 'not asked' }
  const older = newest && olderThan(newest, answer)
  return {
    ...audit,
    problems: [...audit.problems, ...(older ? [{ commit: head, error: older, paths: [] }] : [])],
    clusterName,
    branch: state.branch,
    trust: store.trust,
    answer,
  }
}

function olderThan(newest: Generation, answer: AnchorAnswer): ClusterError | undefined {
  if (answer.kind === 'not asked' || !answer.anchor) return undefined
  try {
    refuseOlder(newest, answer.anchor, 'Hetzner remembers')
    return undefined
  } catch (error) {
    if (!isClusterError(error)) throw error
    return error
  }
}
