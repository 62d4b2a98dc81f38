import type { KubernetesObject, ObjectRef } from './kubernetes-object.ts'

/**
 * Objects that belong together and are applied, compared and removed as one, under a name of their own.
 * Here because one domain renders such sets and another one applies them.
 */
export interface ObjectSet {
  readonly name: string
  /** Where namespaced objects go that do not say so themselves. */
  readonly namespace: string
  readonly objects: readonly KubernetesObject[]
  /** Run before and after the objects, but only when they differ from what was run last. */
  readonly hooks: {
    readonly before: readonly KubernetesObject[]
    readonly after: readonly KubernetesObject[]
  }
}

/** What applying or removing a set did. A set that was in place already gives empty lists. */
export interface SetResult {
  readonly created: readonly ObjectRef[]
  readonly changed: readonly ObjectRef[]
  readonly removed: readonly ObjectRef[]
  /** No longer wanted, but left alone, since removing them could lose data. */
  readonly kept: readonly ObjectRef[]
  readonly unchanged: number
}

/** One object that is not as its set wants it. */
export interface SetDrift {
  readonly ref: ObjectRef
  readonly type: 'missing' | 'changed' | 'unwanted'
  /** Where it differs; paths only, since values may be secret. */
  readonly paths: readonly string[]
  /** Whether an unwanted one is left where it is all the same, since removing it could lose data. */
  readonly stays?: true
}
