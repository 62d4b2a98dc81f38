import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type RepairedState, type RepairInput, repairInMode } from '../modes/repair-in-mode.ts'

/** Brings a damaged state branch back to one that verifies, once what it would sign was confirmed. */
export function repairState(context: RunContext, input: RepairInput): Promise<RepairedState> {
  return inModeOf(input.file, (mode) => repairInMode(mode, context, input))
}
