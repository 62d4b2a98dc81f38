import type { AddonDrifts } from '../addons/heal-drift.ts'
import type { ClusterNode } from '../plan/cluster-node.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { NamedSecrets } from '../spec/secret-reference.ts'
import type { Generation } from '../store/generation.ts'

/** What is known of a cluster in every mode; what a mode finds stands beside it. */
export interface KnownCluster {
  readonly spec: CommonSpec
  /** What the state branch remembers; undefined before the first apply. */
  readonly generation: Generation | undefined
  /** Of the secrets that the file refers to: what is missing, and what this run was given. Undefined where the state is lost. */
  readonly secrets?: ViewedSecrets | undefined
  /** The nodes that the spec asks for, with the slots that the state gives them. */
  readonly nodes: readonly ClusterNode[]
  /** What the objects of addons are like; undefined where nobody asked Kubernetes. */
  readonly addons?: InspectedAddons | undefined
}

/** What the cluster's own objects say of its addons. */
export interface InspectedAddons {
  readonly drifts: AddonDrifts
  /** Addons with differences that nobody approved: they are left, whatever else is applied. */
  readonly left?: ReadonlySet<string> | undefined
  /** Why they could not be compared; nothing is known then. */
  readonly unread?: string | undefined
}

/** What a run knows of the secrets that its cluster file refers to. */
export interface ViewedSecrets {
  /** Given by the environment, and other than what is kept: an apply keeps them. */
  readonly given: NamedSecrets
  /** Names that nobody has set or given. */
  readonly missing: readonly string[]
  /** Whether the run that carries this out may know more, which has the identity or another environment. */
  readonly isUncertain: boolean
  /** Names that are kept and not referred to. */
  readonly unused: readonly string[]
}
