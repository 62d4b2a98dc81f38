import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import type { FoundState } from '../modes/finish-found-state.ts'
import { type RecoverInput, recoverInMode } from '../modes/recover-in-mode.ts'

/** Recreates the state of a cluster whose branch is lost, out of the cluster that runs. Changes nothing of it. */
export function recoverState(context: RunContext, input: RecoverInput): Promise<FoundState> {
  return inModeOf(input.file, (mode) => recoverInMode(mode, context, input))
}
