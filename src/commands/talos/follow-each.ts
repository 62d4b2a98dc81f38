import { onEachNode } from '../../talos/api/node-answers.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import type { ReachedNode } from './reached-cluster.ts'

/**
 * Follows what several nodes tell at the same time. One that fails does not end the others: its failure is
 * thrown when they have ended. `stop` ends them all, and is no failure.
 */
export async function followEach<T>(
  nodes: readonly ReachedNode[],
  follow: (api: TalosApi, node: ReachedNode) => AsyncIterable<T>,
  emit: (node: string, item: T) => void,
  stop?: AbortSignal,
): Promise<void> {
  const ends = await onEachNode(nodes, async (node) => {
    for await (const item of follow(node.api, node)) emit(node.name, item)
  })
  for (const end of ends) {
    if ('error' in end && !(stop?.aborted && end.error === stop.reason)) throw end.error
  }
}
