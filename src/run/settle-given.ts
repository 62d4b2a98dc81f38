import { jsonDigest } from '../lib/canonical-json.ts'
import type { Plan } from '../plan/plan.ts'
import { type ApprovedPlan, judgePlan, toApprovedPlan } from '../plan/verdict.ts'
import type { KnownCluster } from '../planner/known-cluster.ts'
import type { NamedSecrets } from '../spec/secret-reference.ts'
import { type Approval, type ApprovalSource, isBeyond } from './approval.ts'
import type { RunContext } from './run-context.ts'

/** What an apply found, and what it was given and told to do. */
export interface Found<V extends KnownCluster> {
  /** What is there, before the nodes were asked. */
  readonly observed: V
  /** The same with what the nodes run. */
  readonly view: V
  readonly plan: Plan
  readonly approval: Approval | undefined
  /** The secrets that the environment gives. */
  readonly environment: NamedSecrets
}

interface Means<V extends KnownCluster> {
  readonly source: ApprovalSource | undefined
  readonly observe: (environment: NamedSecrets) => Promise<V>
  /** What was found, with what its nodes were seen to run before. */
  readonly keepInspected: (found: V, inspected: V) => V
  readonly planOf: (view: V) => Plan
}

/**
 * Another value of a secret that is kept, given by the environment alone, shows only to a run that has both: no pull
 * request shows it, and none approves it. Where that is all that moved a plan, `policy.unapproved` decides: it is
 * carried out with what was approved, or what is kept stays, which is told. What somebody typed an approval of is
 * carried out as it is, or not at all.
 */
export async function settleGiven<V extends KnownCluster>(
  { progress }: Pick<RunContext, 'progress'>,
  found: Found<V>,
  { source, observe, keepInspected, planOf }: Means<V>,
): Promise<Found<V>> {
  const { observed, view, plan, approval, environment } = found
  const { secrets = {} } = observed.generation?.inventory ?? {}
  const renewed = [...(observed.secrets?.given.keys() ?? [])].filter(
    (name) => secrets[name] !== undefined && !secrets[name].isRemoved,
  )
  if (renewed.length === 0 || !approval) return found
  const { plan: approved } = approval
  const named = { ...approval, renewed }
  if (source?.typed !== undefined || !approved || judgePlan(plan, approved).verdict !== 'moved') {
    return { ...found, approval: named }
  }
  const left = new Map([...environment].filter(([name]) => !renewed.includes(name)))
  const kept = await observe(left)
  const keptView = keepInspected(kept, view)
  const keptPlan = planOf(keptView)
  const own = judgePlan(plan, toApprovedPlan(keptPlan))
  if (own.verdict === 'moved' && !isBeyond(own, view.spec)) {
    return { ...found, approval: { ...named, plan: withOwn(approved, plan, keptPlan) } }
  }
  progress.warn(
    `the environment gives ${renewed.join(', ')} another value than the state keeps, which no pull request can show: what is kept stays. To change it, run the workflow by hand from the default branch, and again with the input approve and the digits of the plan that the first run stopped with`,
  )
  return { observed: kept, view: keptView, plan: keptPlan, approval: named, environment: left }
}

/** What was approved, and what of a plan there is for the environment alone. */
function withOwn(approved: ApprovedPlan, plan: Plan, keptPlan: Plan): ApprovedPlan {
  const others = new Set(keptPlan.identities.map((identity) => jsonDigest(identity)))
  const own = plan.identities.filter((identity) => !others.has(jsonDigest(identity)))
  return { digest: '', changes: [...approved.changes, ...own] }
}
