import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type RotatedKeys, type RotationInput, rotateInMode } from '../modes/rotate-in-mode.ts'

/** Hands the state of a cluster over to the newest key of its file. Safe to kill and to run again. */
export function rotateKeys(context: RunContext, input: RotationInput): Promise<RotatedKeys> {
  return inModeOf(input.file, (mode) => rotateInMode(mode, context, input))
}
