import type { Change } from '../../plan/change.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { RunContext } from '../run-context.ts'
import type { StateSession } from '../state-session.ts'

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
  /** What every node gets another one of: `CA of the Talos API`; undefined where the state has no key of nodes. */
  readonly replaced: string | undefined
  /** What is void afterwards, as the subject of a sentence: `Every talosconfig that was minted`. */
  readonly madeVoid: string | undefined
  /** What was tried on every node, and rejected by it: `a certificate of the former CA`. */
  readonly tried: string
  /** Why nothing was tried where an earlier run had replaced it already, as a sentence. */
  readonly untried: string
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
