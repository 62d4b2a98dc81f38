import { textDigest } from '../lib/canonical-json.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import { isJsonObject, type JsonObject } from '../lib/json.ts'
import { risks } from '../plan/change.ts'
import type { Plan } from '../plan/plan.ts'
import { approvedBy, type PlanRecord } from '../plan/plan-record.ts'
import { type ApprovedPlan, judgePlan } from '../plan/verdict.ts'
import { isApplied } from '../planner/applied-spec.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { Generation } from '../store/generation.ts'
import type { ClusterFile } from './cluster-file.ts'
import type { RunContext } from './run-context.ts'
import { runPhase } from './run-phase.ts'

/** What is looked for: plans of a cluster that were shown on what was merged. */
export interface ApprovalQuery {
  readonly clusterName: string
  readonly file: ClusterFile
  /**
   * Where the last complete apply was, if it was of another file: what was merged since then is approved as well.
   * Undefined looks at the newest commit alone.
   */
  readonly since: { readonly appliedCommit: string | undefined } | undefined
  /** Whether much depends on it: a push is known to its pull request with some delay. */
  readonly patient: boolean
}

/** A plan that was shown on a pull request, and merged with it. */
export interface ShownPlan {
  readonly record: PlanRecord
  /** `#12`. */
  readonly pullRequest: string
  /** Whether it is of the commit that was merged, and not of an earlier one of the same pull request. */
  readonly isNewest: boolean
}

export interface FoundApprovals {
  readonly plans: readonly ShownPlan[]
  /** Why there are no more of them, for people. */
  readonly problems: readonly string[]
}

/** Who can tell what was approved: GitHub, for a run of a workflow. Never throws for what it is told. */
export interface ApprovalSource {
  find(query: ApprovalQuery): Promise<FoundApprovals>
  /** The first digits of a plan that somebody typed into a dispatch; undefined where nobody did. */
  readonly typed?: string | undefined
  /** How to get an approval, where it is not by a merge or by hand. */
  readonly approveAgain?: string | undefined
  /** Shows a plan that stopped for want of an approval. */
  showStopped(plan: Plan): Promise<void>
}

/** What an apply may do. */
export interface Approval {
  /** What was approved; where it is undefined, `unapproved` decides. */
  readonly plan: ApprovedPlan | undefined
  /** Whether it is of this very file: what is not in it stops, also where the policy would let it pass. */
  readonly isExact: boolean
  /** Why nothing is known to be approved. */
  readonly problems: readonly string[]
  /** Secrets of which the environment gives another value than is kept: no pull request shows what that changes. */
  readonly renewed?: readonly string[] | undefined
}

/** Fewer digits than this are no plan's name. */
const fewestDigits = 12

/** Finds out what was approved of the plan that an apply is about to carry out. */
export async function findApproval(
  context: RunContext,
  source: ApprovalSource,
  {
    file,
    plan,
    spec,
    generation,
  }: {
    readonly file: ClusterFile
    readonly plan: Plan
    readonly spec: CommonSpec
    readonly generation: Generation | undefined
  },
): Promise<Approval> {
  const typed = typedApproval(source.typed, plan, generation, context)
  if (typed) return { plan: typed, isExact: true, problems: [] }
  const appliedCommit = generation?.manifest.appliedCommit ?? undefined
  const applied = isApplied(spec, generation)
  if (applied && appliedCommit !== undefined && appliedCommit === context.run.commit) {
    return unapproved(['what was approved with this commit was carried out'])
  }
  const { plans, problems } = await runPhase(context.progress, 'Look for the approval', () =>
    source.find({
      clusterName: spec.clusterName,
      file,
      since: applied ? undefined : { appliedCommit },
      patient: isBeyond(plan, spec),
    }),
  )
  const digest = textDigest(file.text)
  const usable = plans.filter(({ record }) => record.plan.verb === 'apply')
  const ofThisFile = usable.filter(({ record }) => record.file === digest)
  // Several pull requests that were merged at once have no plan of their sum: what each showed is approved.
  const counted = ofThisFile.length > 0 ? ofThisFile : usable.filter(({ isNewest }) => isNewest)
  if (counted.length > 0) {
    const names = [...new Set(counted.map(({ pullRequest }) => pullRequest))]
    context.progress.info(`approved with ${names.join(', ')}`)
    const approved = counted.map(({ record }) => approvedBy(record))
    return { plan: sumOf(approved, plan), isExact: ofThisFile.length > 0, problems }
  }
  const others = usable.map(
    ({ pullRequest }) => `the plan on ${pullRequest} is not of the file that was merged`,
  )
  const reasons = [...problems, ...others]
  context.progress.warn(
    `no plan of this is known to be approved (${reasons.join('; ')}): policy.unapproved decides`,
  )
  return unapproved(reasons)
}

function unapproved(problems: readonly string[]): Approval {
  return { plan: undefined, isExact: false, problems }
}

/** Throws `plan-moved` or `plan-unapproved` unless the plan is within what was approved, or the policy. */
export async function refuseUnapproved(
  source: ApprovalSource,
  plan: Plan,
  { plan: approved, isExact, problems, renewed = [] }: Approval,
  spec: CommonSpec,
): Promise<void> {
  const byHand = `the workflow by hand from the default branch with the input approve: ${plan.digest.slice(0, 16)}.`
  const again =
    renewed.length > 0
      ? `Run ${byHand} No pull request can show that the environment gives ${renewed.join(', ')} another value.`
      : (source.approveAgain ??
        `Open a pull request whose plan shows it and merge that, or run ${byHand}`)
  if (approved) {
    const verdict = judgePlan(plan, approved)
    if (verdict.verdict !== 'moved') return
    if (!isExact && !isBeyond(verdict, spec)) return
    await source.showStopped(plan)
    throw new ClusterError(
      'plan-moved',
      `the cluster changed since the plan was approved; not approved: ${verdict.unapproved.join(', ')}`,
      { hint: again },
    )
  }
  if (!isBeyond(plan, spec)) return
  await source.showStopped(plan)
  const why = problems.length > 0 ? problems.join('; ') : 'no merged pull request showed it'
  throw new ClusterError(
    'plan-unapproved',
    `the plan has the risk ${plan.risk}, and policy.unapproved is ${spec.policy.unapproved}: nobody approved it (${why})`,
    { operation: 'apply', target: spec.clusterName, hint: again },
  )
}

/** Whether a plan is more than is carried out unapproved. */
export function isBeyond(
  { risk }: Pick<Plan, 'risk'>,
  { policy: { unapproved } }: CommonSpec,
): boolean {
  if (risk === undefined) return false
  return unapproved === 'none' || risks.indexOf(risk) > risks.indexOf(unapproved)
}

/** The plan whose digest somebody typed, or what is left of it in a later attempt of the same run. */
export function typedApproval(
  typed: string | undefined,
  plan: Plan,
  generation: Generation | undefined,
  { run }: RunContext,
): ApprovedPlan | undefined {
  if (typed === undefined) return undefined
  if (!/^[0-9a-f]+$/.test(typed) || typed.length < fewestDigits) {
    throw new ClusterError('usage', `the input approve is no digest of a plan`, {
      hint: `Give at least the first ${fewestDigits} digits that the plan ends with.`,
    })
  }
  const begun = begunPlan(generation, run.id, typed)
  // A re-run continues with what it began, and does nothing again.
  if (run.attempt <= 1 && plan.digest.startsWith(typed)) {
    return { digest: plan.digest, changes: plan.identities }
  }
  return { digest: typed, changes: begun }
}

function begunPlan(generation: Generation | undefined, run: string, typed: string): JsonObject[] {
  const begun = [...(generation?.plans.values() ?? [])].find(
    (record) =>
      record['run'] === run &&
      record['finished'] !== true &&
      String(record['digest']).startsWith(typed),
  )
  const identities = begun?.['identities']
  return Array.isArray(identities) ? identities.filter(isJsonObject) : []
}

function sumOf(all: readonly ApprovedPlan[], plan: Plan): ApprovedPlan {
  const same = all.find(({ digest }) => digest === plan.digest)
  return same ?? { digest: '', changes: all.flatMap(({ changes }) => changes) }
}
