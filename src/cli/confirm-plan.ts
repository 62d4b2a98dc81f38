import type { Plan } from '../plan/plan.ts'
import { renderPlanText } from '../plan/render-text.ts'
import type { Terminal } from './terminal.ts'

export interface ConfirmOptions {
  readonly dryRun: boolean
  readonly yes: boolean
  /** Nothing is printed but JSON later on. */
  readonly json: boolean
}

/**
 * Shows a plan and decides whether it is carried out: never in a dry run, after a yes at a terminal, and
 * at once where nobody can be asked, since whoever runs a command in a script has decided.
 */
export function confirmPlan(
  terminal: Terminal,
  { dryRun, yes, json }: ConfirmOptions,
): (plan: Plan) => Promise<boolean> {
  return async (plan) => {
    if (!json) terminal.print(renderPlanText(plan, { colour: terminal.colour }))
    if (dryRun) return false
    if (yes || plan.changes.length === 0 || !terminal.interactive) return true
    return (await terminal.ask('Carry this out? Only "yes" does: ')) === 'yes'
  }
}
