import type { ReportRequest } from '../../../commands/talos/node-report.ts'
import type { VerbParts } from './define-verb.ts'
import type { OutputFormat } from './verb-settings.ts'

/** Asks every node once and prints what they say. */
export async function askNodes(
  { cluster, terminal }: VerbParts,
  output: OutputFormat | undefined,
  ask: ReportRequest,
): Promise<void> {
  const { reportOfEach } = await import('../../../commands/talos/node-report.ts')
  const { showReports } = await import('./show-reports.ts')
  showReports(terminal, await reportOfEach(cluster.nodes, ask), output)
}

/** The same of the control planes. */
export function askControlPlanes(
  parts: VerbParts,
  output: OutputFormat | undefined,
  ask: ReportRequest,
): Promise<void> {
  const { cluster } = parts
  return askNodes({ ...parts, cluster: { ...cluster, nodes: cluster.controlPlanes } }, output, ask)
}
