import type { JsonObject } from '../lib/json.ts'
import type { Plan } from '../plan/plan.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Prints a plan as the result of a command. `outcome` goes into the JSON beside it. */
export async function showPlan(
  terminal: Terminal,
  plan: Plan,
  json: boolean,
  outcome: JsonObject = {},
): Promise<void> {
  if (json) {
    const { renderPlanJson } = await import('../plan/render-json.ts')
    printJson(terminal, { ...renderPlanJson(plan), ...outcome })
    return
  }
  const { renderPlanText } = await import('../plan/render-text.ts')
  terminal.print(renderPlanText(plan, terminal.paint))
}

/** Prints the one document of JSON that a command gives. */
export function printJson(terminal: Terminal, value: JsonObject): void {
  terminal.print(`${JSON.stringify(value, null, 2)}\n`)
}
