import type { Finding } from '../../lib/finding.ts'
import type { Change, Risk } from '../../plan/change.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { DiffRules } from '../../plan/diff-records.ts'
import type { ClusterRecord, RecordKey, RecordKind } from '../../plan/record.ts'
import type { Architecture, ClusterSpec } from '../../spec/cluster-spec.ts'
import type { HetznerClient } from '../api/hetzner-client.ts'
import type { ApiServer } from '../api/servers.ts'
import type { ResourceApply } from '../apply/apply-context.ts'
import type { HetznerCatalogue } from '../catalogue.ts'
import type { ClusterPlace } from '../controller-resources.ts'
import type { Found } from '../find-resources.ts'
import type { KnownResources } from '../known-resources.ts'
import type { HetznerLive } from '../observe.ts'
import type { HetznerLeftovers } from '../observe-destroy.ts'
import type { Identifiable, OwnResource } from '../own-resources.ts'
import type { ClusterIdentity } from '../ownership.ts'
import type { ImageWanted } from './image/image-record.ts'

/**
 * Everything about one kind of Hetzner resource. Whatever observes, compares, makes or deletes resources goes through
 * the table of these (hetzner-kinds.ts): a kind without one of its parts does not compile, and none can be forgotten in
 * one place. `T` is what Hetzner answers with; never for a kind that is not listed.
 */
export interface HetznerKind<T extends Identifiable = Identifiable> {
  readonly name: RecordKind
  readonly observe: Observation<T> | SharedObservation
  /** The records that the spec asks for. Pure. */
  desire(request: DesireRequest): readonly ClusterRecord[]
  readonly compare: Comparison
  readonly apply: ResourceApply
  readonly destroy: Destruction
  readonly phase: ApplyPhase
}

/** How resources of a kind are found, distinguished from those of others, and read. */
export interface Observation<T extends Identifiable = Identifiable> {
  /** `destroy`: no other run looks for it. */
  readonly observedIn: 'each-run' | 'destroy'
  /** Whether the state records ids of it. If not, neither an id nor our uid makes one ours: `isOfControllers` alone does. */
  readonly isRecorded: boolean
  /** All of the project, whoever's they are: names that others have taken must be known before anything is created. */
  list(client: HetznerClient, context: ListContext): Promise<readonly T[]>
  /** The name of the record that one with our uid is of. */
  nameOf(item: T, context: NameContext): string
  /** Whether the cluster's own controllers made it. */
  isOfControllers(item: T, place: ControllerPlace): boolean
  /** Its record; undefined for one that is on its way out. */
  live(own: OwnResource<T>, observed: Observed): ClusterRecord | undefined
}

/** For what clusters share: it belongs to none of them, and is found by what is desired. */
export interface SharedObservation {
  readonly observedIn: 'when-desired'
  live(desired: readonly ClusterRecord[], found: SharedResources): readonly ClusterRecord[]
}

export type SharedResources = Pick<HetznerLive, 'snapshots' | 'catalogue' | 'knownImages'>

export interface ListContext {
  readonly known: KnownResources | undefined
  /** Name of the network that is lent to the cluster. */
  readonly network: string | undefined
}

export interface NameContext {
  readonly clusterName: string
  /** What was found of other kinds. */
  readonly found: Found
}

export interface ControllerPlace extends ClusterPlace {
  readonly uid: string
}

/** What records are read with: one often names another. */
export interface Observed {
  readonly found: Found
  readonly catalogue: HetznerCatalogue
  /** Name of the network that the cluster uses, own or lent. */
  readonly network: string
}

export interface DesireRequest {
  readonly spec: ClusterSpec
  readonly nodes: readonly ClusterNode[]
  readonly identity: ClusterIdentity
  readonly catalogue: HetznerCatalogue
  /** The image that nodes of an architecture are made from. */
  readonly image: (arch: Architecture) => ImageWanted
}

/** How desired and live are compared. Pure. */
export interface Comparison {
  readonly rules: DiffRules
  /** Of what is live, that which counts. */
  compared(live: ClusterRecord, desired: ClusterRecord): ClusterRecord
  /** Whether its creation was cut short, so that the rest of it is still part of a create. */
  isUnfinished(live: ClusterRecord, history: History): boolean
  /** Whether it is created only for something else that is created and needs it. */
  readonly isMadeOnDemand: boolean
  /** Changes of one queue wait for each other; undefined for one that waits for none. */
  queueOf(change: Change): string | undefined
  readonly drift: DriftRules
}

export interface History {
  /** Whether the cluster ran on it before. */
  readonly wasFinished: boolean
  /** Whether it differs from what the last apply left. */
  readonly isChangedByHand: boolean
}

/** What becomes of what somebody changed by hand; everything else is put back. */
export interface DriftRules {
  /** Fields that only a replacement, or nothing at all, would put back: they stay. */
  readonly neverRestored: readonly string[]
  /**
   * Fields that stay where the policy is to keep. What the cluster needs to work, or to be closed, is put back all the
   * same: labels, power, firewalls, networks, targets and services.
   */
  readonly keptByPolicy: readonly string[]
  /** Fields that stay because of how it stands now. */
  alsoKept(live: ClusterRecord): readonly string[]
  /** Whether its name is random: then nobody else can have taken it. */
  readonly isNameRandom: boolean
}

/** What a destroy does with it. */
export interface Destruction {
  /** Whether it is left, by policy or because clusters share it. */
  isKept(policy: DestroyPolicy): boolean
  readonly risk: Risk
  reason(record: ClusterRecord): string
  /** Keys of what goes after it, besides its needs. */
  goesBefore(record: ClusterRecord, all: readonly ClusterRecord[]): readonly RecordKey[]
  /** Servers of others that would be harmed; undefined where no server uses it. */
  readonly guests: Guests | undefined
  /** What of it stays on purpose, for the plan. */
  describeKept(found: HetznerLeftovers, policy: DestroyPolicy): readonly Finding[]
}

/** Foreign servers that use what would be deleted: they stop the destroy. */
export interface Guests {
  /** Ids of this kind's resources that a server uses. */
  usedBy(server: ApiServer): readonly number[]
  /** What would happen to the server, as the end of `the server x …`. */
  harm(usedId: number): string
  /** What somebody does about it by hand, as the beginning of a hint. */
  readonly remedy: string
}

export interface DestroyPolicy {
  readonly volumes: 'keep' | 'delete'
  readonly network: 'keep' | 'delete'
}

/** In which phase of an apply it is changed; `none`: an apply never does. */
export type ApplyPhase = 'images' | 'resources' | 'servers' | 'none'
