import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type CompactedState, type CompactInput, compactInMode } from '../modes/compact-in-mode.ts'

/** Squashes the state branch of a cluster to a single commit, after all of it was verified. */
export function compactState(context: RunContext, input: CompactInput): Promise<CompactedState> {
  return inModeOf(input.file, (mode) => compactInMode(mode, context, input))
}
