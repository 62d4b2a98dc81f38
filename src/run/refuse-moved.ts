import { ClusterError } from '../lib/cluster-error.ts'
import type { Plan } from '../plan/plan.ts'
import { type ApprovedPlan, judgePlan } from '../plan/verdict.ts'

/** Stops when the cluster changed since the approval in a way that nobody approved. */
export function refuseMoved(plan: Plan, approved: ApprovedPlan | undefined): void {
  if (!approved) return
  const verdict = judgePlan(plan, approved)
  if (verdict.verdict !== 'moved') return
  throw new ClusterError(
    'plan-moved',
    `the cluster changed since the plan was approved; not approved: ${verdict.unapproved.join(', ')}`,
    { hint: 'Look at a new plan and approve that one.' },
  )
}
