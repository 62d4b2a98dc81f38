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
