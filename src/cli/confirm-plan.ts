import { ClusterError } from '../lib/cluster-error.ts'
import type { Plan } from '../plan/plan.ts'
import { showPlan } from './show-plan.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface ConfirmOptions {
  readonly yes: boolean
  /** Nothing but JSON goes to standard output, and that later on. */
  readonly json: boolean
}

/** Shows a plan and decides whether it is carried out: after a yes, which is given before or by a person. */
export function confirmPlan(
  terminal: Terminal,
  { yes, json }: ConfirmOptions,
): (plan: Plan) => Promise<boolean> {
  return async (plan) => {
    if (!json) await showPlan(terminal, plan, false)
    if (yes || plan.changes.length === 0) return true
    if (terminal.questions === 'nobody') return false
    if (json) await reportPlan(terminal, plan)
    return (await terminal.ask('Carry this out? Only "yes" does: ')) === 'yes'
  }
}

/** Shows what is to be deleted; the name of the cluster, typed out, is the yes. Throws `not-confirmed` for another name. */
export function confirmDestroy(
  terminal: Terminal,
  clusterName: string,
  { confirm, json }: { readonly confirm: string | undefined; readonly json: boolean },
): (plan: Plan) => Promise<boolean> {
  return async (plan) => {
    if (!json) await showPlan(terminal, plan, false)
    const name = confirm ?? (await askName(terminal, plan, json))
    if (name === clusterName || name === '') return name !== ''
    throw new ClusterError(
      'not-confirmed',
      `${name} is not the name of this cluster; nothing was deleted`,
      { hint: `Type ${clusterName}.` },
    )
  }
}

async function askName(terminal: Terminal, plan: Plan, json: boolean): Promise<string> {
  if (terminal.questions === 'nobody') return ''
  if (json) await reportPlan(terminal, plan)
  return terminal.ask('Type the name of the cluster to destroy it: ')
}

/** Beside the JSON that comes later on. */
async function reportPlan(terminal: Terminal, plan: Plan): Promise<void> {
  const { renderPlanText } = await import('../plan/render-text.ts')
  terminal.report(renderPlanText(plan))
}

/** Asks for the name of the cluster, for what a yes is too little; undefined where nobody can be asked. */
export async function askTypedName(
  terminal: Terminal,
  question: string,
): Promise<string | undefined> {
  if (terminal.questions === 'nobody') return undefined
  return terminal.ask(`${question}. Type the name of the cluster if that is meant: `)
}

export function notConfirmed(hint: string): ClusterError {
  return new ClusterError('not-confirmed', 'not confirmed; nothing was changed', { hint })
}
