import type { RunContext } from '../../run/run-context.ts'
import { inModeOf } from '../modes/cluster-modes.ts'
import { type PlanInput, type PlanResult, planInMode } from '../modes/plan-in-mode.ts'

/** What an apply, or an upgrade, of this file would do. Changes nothing. */
export function planCluster(context: RunContext, input: PlanInput): Promise<PlanResult> {
  return inModeOf(input.file, (mode) => planInMode(mode, context, input))
}
