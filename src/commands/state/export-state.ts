import type { ClusterFile } from '../../run/cluster-file.ts'
import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type ExportedState, exportInMode } from '../modes/export-in-mode.ts'

/** The newest state of a cluster as one file for its recipients. Changes nothing. */
export function exportState(context: RunContext, file: ClusterFile): Promise<ExportedState> {
  return inModeOf(file, (mode) => exportInMode(mode, context, file))
}
