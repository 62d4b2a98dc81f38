import { ClusterError, isClusterError } from '../../lib/cluster-error.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import type { ClusterMode } from '../../run/mode/cluster-mode.ts'
import type { AnchorAnswer, ProviderWords } from '../../run/mode/machine-provider.ts'
import { openStateStore } from '../../run/open-state-store.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'
import type { CommonSpec } from '../../spec/common-spec.ts'
import type { Generation } from '../../store/generation.ts'
import type { StateAudit } from '../../store/trust/audit-state.ts'
import { refuseOlder } from '../../store/trust/refuse-older.ts'
import type { TrustKind } from '../../store/trust/state-trust.ts'

export interface VerifiedState extends StateAudit {
  readonly clusterName: string
  readonly branch: string
  /** Whose signatures were believed. */
  readonly trust: TrustKind
  /** What the provider remembers of it. */
  readonly answer: AnchorAnswer
  readonly provider: ProviderWords
  /** Whether the provider was asked what is there of a cluster that is not on the branch. */
  readonly isProviderAsked: boolean
}

/**
 * Verifies the state branch of a cluster from its first commit to its last, and asks the provider whether that is the newest,
 * where this run can. Needs no identity where the cluster file names its signers. Problems are returned, not thrown.
 * Throws `cluster-unknown` where the branch has never held the cluster (`state-missing`, if the provider has it), and what
 * asking it does.
 */
export async function verifyInMode<S extends StateSession, V extends KnownCluster>(
  { read, machines }: ClusterMode<S, V>,
  context: RunContext,
  file: ClusterFile,
): Promise<VerifiedState> {
  const { spec } = read(file)
  const refuseLost = () => machines.refuseLost(context, { file, spec })
  await using store = await openStateStore(context, spec)
  const { progress } = context
  const audit = await runPhase(progress, 'Verify the state branch', () => store.audit())
  const { clusterName, state } = spec
  if (audit.generations.length + audit.problems.length === 0) {
    await refuseLost()
    throw clusterUnknown(spec, 'verify the state of')
  }
  const { newest, head = '' } = audit
  const answer: AnchorAnswer = newest
    ? await runPhase(progress, `Ask ${machines.name} how far it has come`, () =>
        machines.askAnchor(context, { file, spec }, newest),
      )
    : { kind: 'not asked' }
  const error = newest
    ? olderThan(newest, answer, machines.name)
    : await goneOf(spec, audit, refuseLost)
  const commit = audit.endedBy ?? head
  return {
    ...audit,
    problems: [...audit.problems, ...(error ? [{ commit, error, paths: [] }] : [])],
    clusterName,
    branch: state.branch,
    trust: store.trust,
    answer,
    provider: machines,
    isProviderAsked: machines.canAsk(context),
  }
}

/** What was taken off the branch by somebody while the cluster is there, and not by a destroy. */
async function goneOf(
  spec: CommonSpec,
  { ended }: StateAudit,
  refuseLost: () => Promise<void>,
): Promise<ClusterError | undefined> {
  if (!ended) return undefined
  try {
    await refuseLost()
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

function olderThan(
  newest: Generation,
  answer: AnchorAnswer,
  provider: string,
): ClusterError | undefined {
  if (answer.kind === 'not asked' || !answer.anchor) return undefined
  try {
    refuseOlder(newest, answer.anchor, `${provider} remembers`)
    return undefined
  } catch (error) {
    if (!isClusterError(error)) throw error
    return error
  }
}
