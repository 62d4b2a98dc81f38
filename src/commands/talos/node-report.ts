import { type NodeAnswer, onEachNode } from '../../talos/api/node-answers.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import type { ReachedNode } from './reached-cluster.ts'
import type { TalosReport } from './report.ts'

/** What one node said, or why it said nothing. */
export type NodeReport = NodeAnswer<TalosReport>

/** What a node is asked for. */
export type ReportRequest = (api: TalosApi, node: ReachedNode) => Promise<TalosReport>

/** Asks all of them at once. */
export function reportOfEach(
  nodes: readonly ReachedNode[],
  ask: ReportRequest,
): Promise<NodeReport[]> {
  return onEachNode(nodes, (node) => ask(node.api, node))
}

/** Asks one after the other, and none after one that failed. */
export async function reportInTurn(
  nodes: readonly ReachedNode[],
  ask: (node: ReachedNode) => Promise<TalosReport>,
): Promise<NodeReport[]> {
  const reports: NodeReport[] = []
  for (const node of nodes) {
    const [report] = await onEachNode([node], ask)
    if (report) reports.push(report)
    if (report && 'error' in report) break
  }
  return reports
}
