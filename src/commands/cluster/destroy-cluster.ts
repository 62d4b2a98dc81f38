import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type DestroyInput, type DestroyResult, destroyInMode } from '../modes/destroy-in-mode.ts'

/** Deletes exactly what is the cluster's, and then its state. Safe to kill and to run again. */
export function destroyCluster(context: RunContext, input: DestroyInput): Promise<DestroyResult> {
  return inModeOf(input.file, (mode) => destroyInMode(mode, context, input))
}
