import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type ImportedState, type ImportInput, importInMode } from '../modes/import-in-mode.ts'

/** Restores the state of a cluster from a file of `exportState`. Safe to kill and to run again. */
export function importState(context: RunContext, input: ImportInput): Promise<ImportedState> {
  return inModeOf(input.file, (mode) => importInMode(mode, context, input))
}
