import { ClusterError } from '../../lib/cluster-error.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { ReachedNode } from './reached-cluster.ts'

export interface FirstToAnswer<T> {
  /** What each is asked for; nothing that may not be done twice, since an answer can be lost. */
  readonly ask: (node: ReachedNode) => Promise<T>
  /** A node failed, and the next one is asked. */
  readonly onFailure: (node: ReachedNode, error: ClusterError) => void
}

/**
 * Asks nodes one after the other for what any of them can give, until one does: each may be off, or have no etcd.
 * Throws what the first one failed with where none of them does.
 */
export async function firstToAnswer<T>(
  { signal }: Pick<RunContext, 'signal'>,
  nodes: readonly [ReachedNode, ...ReachedNode[]],
  { ask, onFailure }: FirstToAnswer<T>,
): Promise<{ readonly node: ReachedNode; readonly value: T }> {
  let failure: ClusterError | undefined
  for (const [index, node] of nodes.entries()) {
    try {
      return { node, value: await ask(node) }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ClusterError)) throw error
      failure ??= error
      if (index < nodes.length - 1) onFailure(node, error)
    }
  }
  throw failure
}
