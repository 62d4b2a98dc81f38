import type { Finding } from '../lib/finding.ts'
import type { Change } from '../plan/change.ts'
import type { Inventory } from '../plan/inventory.ts'
import type { Plan } from '../plan/plan.ts'
import type { ClusterRecord, RecordKind } from '../plan/record.ts'
import type { ApprovedPlan } from '../plan/verdict.ts'
import type { ApplyStage } from '../planner/apply-stages.ts'
import type { KnownCluster } from '../planner/known-cluster.ts'
import type { NamedSecrets } from '../spec/secret-reference.ts'
import type { CheckedOutFile } from './merged-file.ts'
import type { RunContext } from './run-context.ts'
import type { StateRecorder } from './state-recorder.ts'
import type { StateSession } from './state-session.ts'

/**
 * One way to have a cluster (ADR 40): what makes its machines, what makes a machine a node, and what runs its life.
 * Planning, applying and destroying go through this and know no mode. `S` is what a mode connects to, `V` what it finds.
 */
export interface ClusterMode<S extends StateSession, V extends KnownCluster> {
  /** Reads the file and makes ready to ask; asks nobody yet. Close it in the end. */
  open(context: RunContext, file: CheckedOutFile): Promise<S>
  readonly machines: MachineProvider<S, V>
  readonly nodes: NodeLayer<S, V>
  readonly life: ClusterLife<S, V>
}

/** What makes machines, and all that they stand in. */
export interface MachineProvider<S extends StateSession, V extends KnownCluster> {
  /** What is there. `environment` are secrets that an apply is given. Throws `state-missing` where a state is lost. */
  observe(session: S, environment?: NamedSecrets): Promise<V>
  /** What of that is the cluster's, as records. */
  recordsOf(view: V): readonly ClusterRecord[]
  /** The inventory with what the cluster uses and does not own. */
  recordLent(inventory: Inventory, view: V): Inventory
  /** How many requests the provider was asked. */
  requestsOf(session: S): number
  /** Sees before the first change that the run can do all that it is about to do. */
  requireRights(context: RunContext, session: S, view: V, rights: WantedRights): Promise<void>
  /** Lets the provider remember how far the state has come, so that an older one is refused. */
  anchor(session: S, view: V): Promise<void>
  /** Deletes what a run that died left behind. */
  removeRemains(context: RunContext, session: S, view: V): Promise<void>
  findRemoval(context: RunContext, session: S, view: RecordedView<V>): Promise<Removal>
}

export type RecordedView<V extends KnownCluster> = V & {
  readonly generation: NonNullable<V['generation']>
}

interface WantedRights {
  readonly plan: Plan
  readonly stage?: ApplyStage | undefined
}

/** All that a destroy deletes; nothing has been deleted yet. */
export interface Removal {
  readonly plan: Plan
  /** What stays on purpose, by name. */
  readonly kept: readonly string[]
  /** The title under which people see it, and the kinds that go. */
  readonly title: string
  readonly kinds: readonly RecordKind[]
  /** What to do about what would not go, as a hint. */
  readonly hint: string
  requireRights(): Promise<void>
  /** Lets the cluster itself release what it made, before its machines go. */
  release(options: { readonly keepRule: boolean }): Promise<void>
  /** Makes one change of the plan. Idempotent. */
  remove(change: Change, step: (text: string) => void): Promise<void>
  /** What would still have to go. */
  left(): Promise<readonly Change[]>
}

/** What makes a machine a node, and asks nodes what they run. */
export interface NodeLayer<S extends StateSession, V extends KnownCluster> {
  /** The view with what the nodes run, as far as a plan can ask them: it opens nothing, and never fails for it. */
  inspect(context: RunContext, session: S, view: V, asking: Asking): Promise<V>
  /** A run's way in to the nodes, opened when it is first needed. */
  access(context: RunContext, session: S, options: { readonly keepRule?: boolean }): NodeAccess<V>
  /** The view with what another one knows of the nodes. */
  keepInspected(view: V, inspected: V): V
  /** The view without what the nodes differ in and nobody approved, which is left as it is. */
  leaveUnapproved(context: RunContext, view: V, judged: JudgedPlan): V
  /** What was changed by hand on nodes and in addons, by name. */
  driftedNames(view: V): string[]
  /** The plan with what is found out only by asking where nodes come from. */
  checkPlan(context: RunContext, session: S, plan: Plan): Promise<Plan>
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

/** What runs a cluster's life: what is to be done, doing it, and seeing that it is done. */
export interface ClusterLife<S extends StateSession, V extends KnownCluster> {
  /** What an apply would do. Pure. */
  planApply(view: V, options: PlanOptions): Plan
  /** What an upgrade would do. Pure. */
  planUpgrade(view: V, options: Pick<PlanOptions, 'now'>): Plan
  /** What is doubtful in the file itself at this time. Pure. */
  fileFindings(session: S, now: number): readonly Finding[]
  /** What the state knows of a cluster that begins. */
  firstInventory(view: V, uid: string): Inventory
  /** Makes the changes of a plan. Safe to kill and to run again. */
  carryOut(changes: readonly Change[], work: LifeWork<S, V>): Promise<void>
  /** Throws unless the cluster is healthy and its next plan empty. */
  verify(context: RunContext, session: S, view: V): Promise<void>
  /** The inventory with all that is there. */
  recordAll(inventory: Inventory, view: V): Inventory
}

export interface PlanOptions {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly stage?: ApplyStage | undefined
  /** Names of nodes whose machines are to be replaced although nothing differs. */
  readonly replace?: readonly string[] | undefined
}

interface LifeWork<S extends StateSession, V extends KnownCluster> {
  readonly context: RunContext
  readonly session: S
  readonly view: V
  readonly recorder: StateRecorder
}
