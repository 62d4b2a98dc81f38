import type { Change } from '../../plan/change.ts'
import type { Inventory } from '../../plan/inventory.ts'
import type { Plan } from '../../plan/plan.ts'
import type { ClusterRecord, RecordKind } from '../../plan/record.ts'
import type { ApplyStage } from '../../planner/apply-stages.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { NamedSecrets } from '../../spec/secret-reference.ts'
import type { Manifest } from '../../store/files/manifest.ts'
import type { Generation } from '../../store/generation.ts'
import type { StateAnchor } from '../../store/trust/refuse-older.ts'
import type { ClusterFile } from '../cluster-file.ts'
import type { RunContext } from '../run-context.ts'
import type { StateSession } from '../state-session.ts'

/** What makes machines, and all that they stand in. */
export interface MachineProvider<S extends StateSession, V extends KnownCluster>
  extends ProviderWords {
  /** Whether this run can ask it: what needs the repository alone goes on without. */
  canAsk(context: RunContext): boolean
  /** What this run lacks that the file says it needs to look at the cluster, in a few words. */
  missingAccess(context: RunContext, spec: S['spec']): MissingAccess | undefined
  /** What is there. `environment` are secrets that an apply is given. Throws `state-missing` where a state is lost. */
  observe(session: S, environment?: NamedSecrets): Promise<V>
  /** What of that is the cluster's, as records. */
  recordsOf(view: V): readonly ClusterRecord[]
  /** The inventory with what the cluster uses and does not own. */
  recordLent(inventory: Inventory, view: V): Inventory
  /** How many requests the provider was asked. */
  requestsOf(session: S): number
  /** Sees that the run may change anything there at all. Throws `token-read-only`. */
  requireWrite(session: S): Promise<void>
  /** Compares the calendar that certificates are dated by with the provider's. Throws `clock-wrong`. */
  requireClock(context: RunContext, session: S): void
  /** Sees before the first change that the run can do all that it is about to do. */
  requireRights(context: RunContext, session: S, view: V, rights: WantedRights): Promise<void>
  /** Lets the provider remember how far the state has come, so that an older one is refused. */
  anchor(session: S, view: V): Promise<void>
  /** The same for a generation that only the repository was read of, in a step after a run that was killed. */
  anchorGeneration(context: RunContext, generation: Generation): Promise<void>
  /** How far the state has come, as the provider was found to remember it. */
  anchorOf(view: V): StateAnchor | undefined
  /** How far a state has come, as the provider remembers it; asked where this run can. */
  askAnchor(
    context: RunContext,
    cluster: ReadCluster<S['spec']>,
    generation: Generation,
  ): Promise<AnchorAnswer>
  /**
   * For what reads the state alone and finds nothing of the cluster: throws `state-missing` where the provider, as far
   * as this run can ask it, has the cluster.
   */
  refuseLost(context: RunContext, cluster: ReadCluster<S['spec']>): Promise<void>
  /** What it knows of the cluster of a state that nobody believes yet. */
  findStateOf(session: S, base: Generation): Promise<ProviderKnowledge>
  /** Deletes what a run that died left behind. */
  removeRemains(context: RunContext, session: S, view: V): Promise<void>
  findRemoval(context: RunContext, session: S, view: RecordedView<V>): Promise<Removal>
}

/** A cluster file that was read, for what opens no session. */
export interface ReadCluster<Spec> {
  readonly file: ClusterFile
  readonly spec: Spec
}

/** What a run was not given. */
export interface MissingAccess {
  readonly what: string
  /** Whether a plan of a pull request may do without it by choice: the file alone is checked then. */
  readonly isOptional: boolean
}

/** What people read of whoever makes machines. */
export interface ProviderWords {
  /** What people call it: `Hetzner`. */
  readonly name: string
  /** Why a run cannot ask it, and what to do about that, as halves of a sentence. */
  readonly unasked: { readonly message: string; readonly fix: string }
}

/** What a provider remembers of how far a state has come, where it was asked. */
export type AnchorAnswer =
  | { readonly kind: 'not asked' }
  | { readonly kind: 'answered'; readonly anchor: StateAnchor | undefined }

/** What a provider knows of a state's cluster. */
export interface ProviderKnowledge {
  /** How far the state has come, as it remembers it. */
  readonly anchor: StateAnchor | undefined
  /** Whether anything of the cluster is there. */
  readonly isThere: boolean
  /** Throws `state-other-cluster` where what is there is of another cluster of this name. */
  refuseOther(): void
  /** Lets it remember how far the state has come. */
  remember(manifest: Manifest): Promise<void>
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
