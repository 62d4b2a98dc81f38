import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { type AnchorAnswer, askAnchor } from '../../run/hetzner-talos/ask-anchor.ts'
import { type ClusterFile, readClusterFile } from '../../run/hetzner-talos/cluster-session.ts'
import { refuseLost } from '../../run/hetzner-talos/observe-cluster.ts'
import { openStateStore } from '../../run/open-state-store.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { Generation } from '../../store/generation.ts'
import type { StateAudit } from '../../store/trust/audit-state.ts'
import { refuseOlder } from '../../store/trust/refuse-older.ts'
import type { TrustKind } from '../../store/trust/state-trust.ts'

export interface VerifiedState extends StateAudit {
  readonly clusterName: string
  readonly branch: string
  /** Whose signatures were believed. */
  readonly trust: TrustKind
  /** What Hetzner remembers of it. */
  readonly answer: AnchorAnswer
  /** Whether Hetzner was asked what is there of a cluster that is not on the branch. */
  readonly isCheckedAtHetzner: boolean
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
  const answer: AnchorAnswer = newest
    ? await runPhase(progress, 'Ask Hetzner how far it has come', () =>
        askAnchor(context, spec, newest),
      )
    : { kind: 'not asked' }
  const error = newest ? olderThan(newest, answer) : await goneOf(context, spec, audit)
  const commit = audit.endedBy ?? head
  return {
    ...audit,
    problems: [...audit.problems, ...(error ? [{ commit, error, paths: [] }] : [])],
    clusterName,
    branch: state.branch,
    trust: store.trust,
    answer,
    isCheckedAtHetzner: Boolean(context.hetznerToken),
  }
}

/** What was taken off the branch by somebody while the cluster is there, and not by a destroy. */
async function goneOf(
  context: RunContext,
  spec: ClusterSpec,
  { ended }: StateAudit,
): Promise<ClusterError | undefined> {
  if (!ended) return undefined
  try {
    await refuseLost(context, spec)
    return undefined
  } catch (cause) {
    if (!isClusterError(cause, 'state-missing')) throw cause
    const { generation } = ended.manifest
    return new ClusterError(
      'state-missing',
      `the folder ${spec.clusterName} is gone: this commit took generation ${generation} off the branch, and the cluster exists (${cause.message})`,
      {
        operation: 'verify the state of',
        target: spec.clusterName,
        hint: 'Run `hcloud-talos repair`: it shows who did that, and puts the folder back.',
        cause,
      },
    )
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
