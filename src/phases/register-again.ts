import { isOfOtherServer, type NodeOnServer } from '../kubernetes/node-server.ts'
import { listNodes } from '../kubernetes/nodes.ts'
import { type RenewNodesOptions, renewNodes } from './renew-nodes.ts'

/** How long a node may take to register by itself, in milliseconds. */
const patienceMs = 120_000

/**
 * Sees that each node has a Node in Kubernetes, of its own server. A kubelet registers only when it
 * starts: one whose Node was deleted meanwhile, or that took over the Node of a former server, is
 * restarted, which stops no pod.
 */
export async function registerAgain(
  nodes: readonly NodeOnServer[],
  options: RenewNodesOptions,
): Promise<void> {
  const { kubernetes, clock, signal } = options
  const deadline = clock.now() + patienceMs
  for (;;) {
    const known = new Map((await listNodes(kubernetes)).map((node) => [node.name, node]))
    const isOver = clock.now() >= deadline
    const missing = nodes.filter(({ name }) => !known.has(name))
    const foreign = nodes.filter(({ name, serverId }) => {
      const node = known.get(name)
      return node !== undefined && isOfOtherServer(node, serverId)
    })
    const due = isOver ? [...foreign, ...missing] : foreign
    if (due.length > 0) {
      await renewNodes(
        due.map(({ name }) => name),
        options,
      )
    }
    if (isOver || missing.length === 0) return
    await clock.sleep(2_000, signal)
  }
}
