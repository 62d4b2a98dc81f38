import type { ComparedAddon } from '../addons/compare-installed.ts'
import type { ShownAddon } from '../addons/show-addons.ts'
import type { SnapshotFacts } from '../backup/etcd-snapshot.ts'
import type { SealOptions } from '../backup/sealed-snapshot.ts'
import type { SnapshotPlace } from '../backup/snapshot-place.ts'
import type { VerifiedSnapshot } from '../backup/verified-snapshot.ts'
import type { Finding } from '../lib/finding.ts'
import type { Change } from '../plan/change.ts'
import type { ClusterNode } from '../plan/cluster-node.ts'
import type { Inventory } from '../plan/inventory.ts'
import type { Plan } from '../plan/plan.ts'
import type { ClusterRecord, RecordKind } from '../plan/record.ts'
import type { ApprovedPlan } from '../plan/verdict.ts'
import type { ApplyStage } from '../planner/apply-stages.ts'
import type { HandedOutKind } from '../planner/handed-out.ts'
import type { KnownCluster } from '../planner/known-cluster.ts'
import type { RestorePlan } from '../planner/restore-plan.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { NamedSecrets } from '../spec/secret-reference.ts'
import type { Manifest } from '../store/files/manifest.ts'
import type { Generation } from '../store/generation.ts'
import type { StateChanges } from '../store/state-changes.ts'
import type { StateStore } from '../store/state-store.ts'
import type { StateAnchor } from '../store/trust/refuse-older.ts'
import type { ClusterFile } from './cluster-file.ts'
import type { Diagnosis, DiagnosisArea, Look } from './diagnosis.ts'
import type { StateOptions } from './open-state-store.ts'
import type { RunContext } from './run-context.ts'
import type { StateRecorder } from './state-recorder.ts'
import type { StateSession } from './state-session.ts'

/**
 * One way to have a cluster (ADR 40): what makes its machines, what makes a machine a node, and what runs its life.
 * Whatever is done with a cluster goes through this and knows no mode. `S` is what a mode connects to, `V` what it finds.
 */
export interface ClusterMode<S extends StateSession, V extends KnownCluster> {
  /** Reads the file; asks nobody. Throws a `FindingsError` with all that is wrong with it. */
  read(file: ClusterFile): ReadFile<S['spec']>
  /** Reads the file and makes ready to ask; asks nobody yet. Close it in the end. */
  open(context: RunContext, file: ClusterFile, options?: StateOptions): Promise<S>
  readonly machines: MachineProvider<S, V>
  readonly nodes: NodeLayer<S, V>
  readonly life: ClusterLife<S, V>
  readonly keys: ClusterKeys<S, V>
  readonly health: ClusterHealth<S, V>
  readonly backup: ClusterBackup<S, V>
  readonly recovery: ClusterRecovery<S, V>
  readonly addons: ClusterAddons<S, V>
  /** For whoever may do everything in a cluster. */
  readonly credentials: CredentialMint<S, V, AdminCredentials>
}

/** A cluster file as its mode understands it. */
export interface ReadFile<Spec extends CommonSpec> {
  readonly spec: Spec
  /** Warnings about the file. */
  readonly findings: readonly Finding[]
}

/** What people read of whoever makes machines. */
export interface ProviderWords {
  /** What people call it: `Hetzner`. */
  readonly name: string
  /** Why a run cannot ask it, and what to do about that, as halves of a sentence. */
  readonly unasked: { readonly message: string; readonly fix: string }
}

/** What makes machines, and all that they stand in. */
export interface MachineProvider<S extends StateSession, V extends KnownCluster>
  extends ProviderWords {
  /** Whether this run can ask it: what needs the repository alone goes on without. */
  canAsk(context: RunContext): boolean
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
  askAnchor(context: RunContext, spec: S['spec'], generation: Generation): Promise<AnchorAnswer>
  /**
   * For what reads the state alone and finds nothing of the cluster: throws `state-missing` where the provider, as far
   * as this run can ask it, has the cluster.
   */
  refuseLost(context: RunContext, spec: S['spec']): Promise<void>
  /** What it knows of the cluster of a state that nobody believes yet. */
  findStateOf(session: S, base: Generation): Promise<ProviderKnowledge>
  /** Deletes what a run that died left behind. */
  removeRemains(context: RunContext, session: S, view: V): Promise<void>
  findRemoval(context: RunContext, session: S, view: RecordedView<V>): Promise<Removal>
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

/** What of a cluster's keys is replaced while it runs, because somebody else has them. */
export interface ClusterKeys<S extends StateSession, V extends KnownCluster> {
  /** What would come along unseen, since every node gets its config again. Pure. */
  pendingChange(view: V): Change | undefined
  /** The nodes that have such keys. */
  holders(view: V): readonly ClusterNode[]
  /** Replaces them on these nodes. Resolves to whether each was tried with a former one, and rejected it. */
  replace(context: RunContext, session: S, work: KeyWork<V>): Promise<boolean>
  readonly words: RevocationWords
}

/** What people read of a revocation. */
export interface RevocationWords {
  /** What every node gets another one of: `CA of the Talos API`. */
  readonly replaced: string
  /** Whose former ones are void afterwards, as the subject of a sentence; undefined where nobody has any. */
  readonly void: string | undefined
  /** What cannot be taken back. */
  readonly stillValid: readonly StillValid[]
}

/** Something that a leaked state gave away, and that a revocation does not take back. */
export interface StillValid {
  readonly what: string
  /** What whoever has it can do. */
  readonly means: string
  /** What to do about it. */
  readonly remedy: string
}

interface KeyWork<V extends KnownCluster> {
  readonly view: V
  readonly nodes: readonly ClusterNode[]
}

/** Mints credentials for people, of which nothing is stored. */
export interface CredentialMint<S extends StateSession, V extends KnownCluster, Minted> {
  /** What people are given, and in which role where there are several. */
  readonly what: HandedOutKind
  readonly role?: string | undefined
  /** They are good for as many hours, unless what they come from ends before. Throws `certificate-ended`. */
  mint(
    context: RunContext,
    from: CredentialSource<S, V>,
    hours: number,
  ): Promise<MintedUntil<Minted>>
}

export interface AdminCredentials {
  /** All of them are secrets: written to files that only their owner can read, never printed into a log. */
  readonly kubeconfig: string
  /** Undefined where nodes are not reached by one. */
  readonly talosconfig?: string | undefined
}

export interface MintedUntil<Minted> {
  readonly minted: Minted
  /** When they end, in milliseconds. */
  readonly until: number
}

export interface CredentialSource<S extends StateSession, V extends KnownCluster> {
  readonly spec: S['spec']
  readonly store: StateStore
  readonly generation: Generation
  /** Undefined where only the state was read. */
  readonly view: V | undefined
}

/** Copies of a cluster's etcd, and the cluster back from one. */
export interface ClusterBackup<S extends StateSession, V extends KnownCluster> {
  /** Reads what etcd holds, and seals it on its way to its place: nothing is there unless all of it is. */
  take(
    context: RunContext,
    from: { readonly session: S; readonly view: V },
    to: SnapshotTarget,
  ): Promise<TakenCopy>
  /** The certificate of the Kubernetes authority, by which a plain snapshot is known to be the cluster's. */
  authority(context: RunContext, session: S): Promise<string>
  /** What of the cluster is gone and is recreated first, and what forbids that. Pure. */
  planRestore(view: V, options: Pick<PlanOptions, 'now'>): PlannedRestore
  /** Asks every control plane what it holds. Throws `etcd-alive` for what is not lost, and not to be discarded. */
  judgeRestore(
    context: RunContext,
    to: { readonly session: S; readonly view: V },
    restore: WantedRestore,
  ): Promise<JudgedRestore>
  /** Makes it so. Safe to kill and to run again. */
  restore(context: RunContext, work: RestoreWork<S, V>): Promise<void>
}

/** The state of a cluster, out of the cluster itself: for one whose branch is lost while it runs. */
export interface ClusterRecovery<S extends StateSession, V extends KnownCluster> {
  /** The cluster as whoever makes its machines knows it. Throws `recovery-impossible`. */
  find(session: S): Promise<LostCluster<V>>
  /** Reads all that a state holds. Changes nothing. Throws `recovery-impossible` where any part cannot be read. */
  read(context: RunContext, session: S, from: RecoverySource<V>): Promise<RecoveredParts>
}

/** A cluster whose state is lost. */
export interface LostCluster<V extends KnownCluster> {
  readonly uid: string
  readonly view: V
  /** Nodes, slots and addresses. */
  readonly inventory: Inventory
}

/** What somebody still has of a cluster whose state is lost, as text. */
export type WayIn =
  | { readonly kind: 'talosconfig'; readonly text: string }
  /** The secrets of the cluster in a file of others: of `talosctl gen secrets`, or the config of a control plane. */
  | { readonly kind: 'secrets'; readonly text: string }

export interface RecoverySource<V extends KnownCluster> {
  readonly lost: LostCluster<V>
  readonly wayIn: WayIn
  /** The newest state of this very cluster that the branch had, where its secrets are not of a former key. */
  readonly former: Generation | undefined
}

export type RecoveredParts = Pick<StateChanges, 'secrets' | 'namedSecrets' | 'nodeConfigs'> & {
  readonly inventory: Inventory
}

export interface SnapshotTarget {
  readonly place: SnapshotPlace
  /** ISO 8601. */
  readonly takenAt: string
  readonly seal: Omit<SealOptions, 'metadata'>
}

export interface TakenCopy extends SnapshotFacts {
  /** The control plane that it was taken of. */
  readonly node: string
  /** Bytes of the sealed file. */
  readonly stored: number
  /** False for one of a survivor: its etcd had lost its quorum. */
  readonly quorum: boolean
}

export interface PlannedRestore {
  readonly creates: readonly Change[]
  readonly findings: readonly Finding[]
}

interface WantedRestore {
  /** Milliseconds since the epoch: by which the whole restore is judged. */
  readonly now: number
  readonly snapshot: VerifiedSnapshot
  readonly creates: readonly Change[]
  readonly discardEtcd: boolean
}

/** What only the control planes and the provider tell of it. */
export type JudgedRestore = Pick<
  RestorePlan,
  'wipes' | 'alive' | 'newer' | 'madeSince' | 'resumes' | 'renews'
>

interface RestoreWork<S extends StateSession, V extends KnownCluster> {
  readonly session: S
  /** The cluster as it was found. */
  readonly former: V
  readonly plan: RestorePlan
  readonly snapshot: VerifiedSnapshot
}

/** What a look at a cluster finds that opens nothing and changes nothing. */
export interface ClusterHealth<S extends StateSession, V extends KnownCluster> {
  /** Under what the provider is reported. */
  readonly provider: DiagnosisArea
  /** Whether the provider answers, lets the run do what it is for, and agrees with its clock. */
  diagnoseProvider(context: RunContext, session: S): Promise<readonly Diagnosis[]>
  /** What the state and the file alone say. */
  lookAtState(looks: HealthLooks<S>, generation: Generation): Promise<readonly Diagnosis[]>
  /** What the provider has of it. */
  lookAtMachines(looks: HealthLooks<S>, view: V): Promise<readonly Diagnosis[]>
  /** What was not looked at where the provider, or the state, could not be asked. */
  readonly unseen: Diagnosis
  /** What takes the keys of the cluster, and a way to its nodes. */
  lookInside(looks: HealthLooks<S>, seen: SeenCluster<V>): Promise<readonly Diagnosis[]>
}

export interface HealthLooks<S extends StateSession> {
  readonly context: RunContext
  readonly session: S
  readonly look: Look
}

export interface SeenCluster<V extends KnownCluster> {
  readonly generation: Generation
  /** What the provider and the state say; undefined where one of the two could not be asked. */
  readonly observed: V | undefined
}

/** What is installed beside Kubernetes itself: looked at, never changed. */
export interface ClusterAddons<S extends StateSession, V extends KnownCluster> {
  /**
   * All that the file asks for, fit to be printed: secrets are hidden, and references to them stay as they are. Asks
   * neither the cluster nor the provider. Throws `helm-failed`, `addon-failed`.
   */
  render(
    context: RunContext,
    from: { readonly spec: S['spec']; readonly generation: Generation | undefined },
  ): Promise<readonly ShownAddon[]>
  /** What an apply would do with them, by objects. Throws what reaching the cluster throws. */
  compare(
    context: RunContext,
    from: { readonly session: S; readonly view: RecordedView<V> },
  ): Promise<readonly ComparedAddon[]>
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
