import type { Plan } from '../../plan/plan.ts'
import type { ApprovedPlan } from '../../plan/verdict.ts'
import type { ApplyStage } from '../../planner/apply-stages.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { RunContext } from '../run-context.ts'
import type { StateSession } from '../state-session.ts'

/** What makes a machine a node, and asks nodes what they run. */
export interface NodeLayer<S extends StateSession, V extends KnownCluster> {
  /** The view with what the nodes run, as far as a plan can ask them: it opens nothing, and never fails for it. */
  inspect(context: RunContext, session: S, view: V, asking: Asking): Promise<V>
  /** A run's way in to the nodes, opened when it is first needed. */
  access(context: RunContext, session: S, options: { readonly keepRule?: boolean }): NodeAccess<V>
  /** Closes the ways in that runs which died left open, for a run that opens none itself. */
  closeLeftOpen(context: RunContext, session: S, view: V): Promise<void>
  /** Closes the way in that this very run opened, for a step after it, which has no cluster file. */
  closeOwn(context: RunContext, cluster: ClusterName): Promise<void>
  /** The view with what another one knows of the nodes. */
  keepInspected(view: V, inspected: V): V
  /** The view without what the nodes differ in and nobody approved, which is left as it is. */
  leaveUnapproved(context: RunContext, view: V, judged: JudgedPlan): V
  /** What was changed by hand on nodes and in addons, by name. */
  driftedNames(view: V): string[]
  /** The plan with what is found out only by asking where nodes come from. */
  checkPlan(context: RunContext, session: S, plan: Plan): Promise<Plan>
}

/** A cluster of which only that is known. */
interface ClusterName {
  readonly clusterName: string
  readonly uid: string
}

interface Asking {
  readonly stage?: ApplyStage | undefined
}

export interface NodeAccess<V extends KnownCluster> extends AsyncDisposable {
  /** For a view of a cluster that has its uid. */
  open(view: V): Promise<void>
  inspect(view: V, asking: Asking): Promise<V>
}

interface JudgedPlan {
  readonly plan: Plan
  /** The plan before the nodes were asked. */
  readonly draft: Plan
  readonly approved: ApprovedPlan | undefined
}
