import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import type { Inventory } from '../../plan/inventory.ts'
import type { Plan } from '../../plan/plan.ts'
import type { ApplyStage } from '../../planner/apply-stages.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { RunContext } from '../run-context.ts'
import type { StateRecorder } from '../state-recorder.ts'
import type { StateSession } from '../state-session.ts'

/** What runs a cluster's life: what is to be done, doing it, and seeing that it is done. */
export interface ClusterLife<S extends StateSession, V extends KnownCluster> {
  /** What an apply would do. Pure. */
  planApply(view: V, options: PlanOptions): Plan
  /** What an upgrade would do. Pure. */
  planUpgrade(view: V, options: Pick<PlanOptions, 'now'>): Plan
  /** What forbids that a cluster begins: others that the file does not name. Pure. */
  guardBeginning(view: V): readonly Finding[]
  /** What is doubtful in the file itself at this time. Pure. */
  fileFindings(session: S, now: number): readonly Finding[]
  /** What the state knows of a cluster that begins. */
  firstInventory(view: V, uid: string): Inventory
  /** Makes the changes of a plan. Safe to kill and to run again. */
  carryOut(changes: readonly Change[], work: LifeWork<S, V>): Promise<void>
  /** Makes the changes of an upgrade's plan. Safe to kill and to run again. */
  carryOutUpgrade(changes: readonly Change[], work: LifeWork<S, V>): Promise<void>
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
