import type { RunContext } from '../../run/run-context.ts'
import { hetznerTalos } from '../modes/hetzner-talos/hetzner-talos.ts'
import { type PlanInput, type PlanResult, planInMode } from '../modes/plan-in-mode.ts'

/** What an apply, or an upgrade, of this file would do. Changes nothing. */
export function planCluster(context: RunContext, input: PlanInput): Promise<PlanResult> {
  return planInMode(hetznerTalos, context, input)
}
