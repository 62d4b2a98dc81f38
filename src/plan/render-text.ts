import { formatPath } from '../lib/finding.ts'
import type { Action, Change } from './change.ts'
import {
  actionSigns,
  countActions,
  formatCost,
  formatField,
  subjectOf,
  verbAdvice,
} from './describe-change.ts'
import type { Plan } from './plan.ts'

const colours: Record<Action, number> = { create: 32, update: 33, replace: 35, delete: 31 }

/** The plan for a terminal, with ANSI colours where they are wanted. Ends with a newline. */
export function renderPlanText(plan: Plan, { colour }: { colour: boolean }): string {
  const lines = [
    headline(plan),
    '',
    ...plan.changes.flatMap((change) => [...changeLines(change, colour)]),
    ...(plan.changes.length > 0 ? [''] : []),
    ...waitingLines(plan, colour),
    ...plan.findings.map(
      ({ severity, path, message, hint }) =>
        `${severity}: ${path.length > 0 ? `${formatPath(path)}: ` : ''}${message}${hint ? ` (${hint})` : ''}`,
    ),
    ...plan.notes.map((note) => `note    ${note}`),
    `cost    ${formatCost(plan)}`,
    `digest  ${plan.digest}`,
  ]
  return `${lines.join('\n')}\n`
}

function headline({ clusterName, changes, risk }: Plan): string {
  return changes.length === 0
    ? `${clusterName}: nothing to do`
    : `${clusterName}: ${countActions(changes)}; risk: ${risk}`
}

function* changeLines(change: Change, colour: boolean): Generator<string> {
  const sign = paint(actionSigns[change.action], colours[change.action], colour)
  yield `  ${sign} ${subjectOf(change)}  ${dim(`${change.risk}: ${change.reason}`, colour)}`
  for (const field of change.fields) yield `      ${formatField(field)}`
}

function waitingLines({ waiting }: Plan, colour: boolean): string[] {
  if (waiting.length === 0) return []
  return [
    `waiting (${verbAdvice.upgrade}):`,
    ...waiting.flatMap((change) => [...changeLines(change, colour)]),
    '',
  ]
}

function paint(text: string, code: number, colour: boolean): string {
  return colour ? `\u001b[${code}m${text}\u001b[0m` : text
}

function dim(text: string, colour: boolean): string {
  return paint(text, 2, colour)
}
