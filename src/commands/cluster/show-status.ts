import type { ClusterStatus } from '../../planner/cluster-status.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { statusInMode } from '../modes/status-in-mode.ts'

/** A cluster as it is found. Changes nothing. */
export function showStatus(
  context: RunContext,
  input: { readonly file: ClusterFile },
): Promise<ClusterStatus> {
  return inModeOf(input.file, (mode) => statusInMode(mode, context, input))
}
