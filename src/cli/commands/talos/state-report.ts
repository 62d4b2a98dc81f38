import type { TalosReport } from '../../../commands/talos/report.ts'

/** What became of a node, in a word. */
export function stateReport(state: string, data = state): TalosReport {
  return { columns: ['STATE'], rows: [[state]], data: { state: data } }
}
