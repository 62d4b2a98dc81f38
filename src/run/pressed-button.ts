import { ClusterError } from '../lib/cluster-error.ts'
import type { Plan } from '../plan/plan.ts'
import { judgePlan } from '../plan/verdict.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { Generation } from '../store/generation.ts'
import { type ApprovalSource, isBeyond, typedApproval } from './approval.ts'
import type { RunContext } from './run-context.ts'

/** The button of an upgrade in a workflow: who pressed it, and for which plan. */
export interface Button extends Pick<ApprovalSource, 'typed' | 'showStopped'> {
  /** Whether a person dispatched the workflow; on a push or a schedule nobody did. */
  readonly pressed: boolean
}

/**
 * Stops an upgrade that nobody asked for. What a person who presses the button asks for is that the cluster comes to
 * the versions of the merged file, and an upgrade does nothing else; with a digest it is that very plan. Where nobody
 * pressed it, `policy.unapproved` decides. Throws `plan-moved`, `plan-unapproved`.
 */
export async function refuseUnpressed(
  context: RunContext,
  button: Button,
  {
    plan,
    spec,
    generation,
  }: {
    readonly plan: Plan
    readonly spec: CommonSpec
    readonly generation: Generation
  },
): Promise<void> {
  if (plan.changes.length === 0) return
  const approved = typedApproval(button.typed, plan, generation, context)
  const verdict = approved && judgePlan(plan, approved)
  if (verdict ? verdict.verdict !== 'moved' : button.pressed || !isBeyond(plan, spec)) return
  await button.showStopped(plan)
  const hint = `Run the workflow by hand from the default branch; with the input approve: ${plan.digest.slice(0, 16)} it carries out this very plan.`
  if (verdict?.verdict === 'moved') {
    const what = verdict.unapproved.join(', ')
    throw new ClusterError('plan-moved', `this is not the plan of that digest: ${what}`, { hint })
  }
  throw new ClusterError(
    'plan-unapproved',
    `the upgrade has the risk ${plan.risk}, policy.unapproved is ${spec.policy.unapproved}, and nobody pressed the button`,
    { operation: 'upgrade', target: spec.clusterName, hint },
  )
}
