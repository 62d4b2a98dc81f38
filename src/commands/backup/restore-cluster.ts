import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type RestoreInput, type RestoreResult, restoreInMode } from '../modes/restore-in-mode.ts'

/** Brings a whole cluster back whose etcd is lost, from a snapshot. Safe to kill and to run again. */
export function restoreCluster(context: RunContext, input: RestoreInput): Promise<RestoreResult> {
  return inModeOf(input.file, (mode) => restoreInMode(mode, context, input))
}
