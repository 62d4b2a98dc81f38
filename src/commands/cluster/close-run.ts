import type { HeldByRun } from '../../run/held-by-run.ts'
import type { RunContext } from '../../run/run-context.ts'
import { closeRunInMode } from '../modes/close-run-in-mode.ts'
import { inModeNamed } from '../modes/cluster-modes.ts'

/** Undoes what a run holds on to beyond its end, for a step that comes after it. Fine when there is nothing to undo. */
export function closeRun(context: RunContext, held: HeldByRun): Promise<void> {
  return inModeNamed(held.mode, (mode) => closeRunInMode(mode, context, held))
}
