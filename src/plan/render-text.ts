import { formatPath } from '../lib/finding.ts'
import { visibleLine } from '../lib/visible-text.ts'
import type { Action } from './change.ts'
import {
  actionSigns,
  countActions,
  formatCost,
  subjectOfAll,
  verbAdvice,
} from './describe-change.ts'
import { formatField } from './format-field.ts'
import { type ChangeGroup, groupChanges } from './group-changes.ts'
import type { Plan } from './plan.ts'

const dim = 2
const colours: Record<Action, number> = { create: 32, update: 33, replace: 35, delete: 31 }

/** How a terminal shows a text in a colour; `code` is that of ANSI. */
export type Paint = (code: number, text: string) => string

/** The plan for a terminal, in colours where it has them. Ends with a newline. */
export function renderPlanText(plan: Plan, paint: Paint = (_, text) => text): string {
  const lines = [
    headline(plan),
    '',
    ...groupChanges(plan.changes).flatMap((group) => [...changeLines(group, paint)]),
    ...(plan.changes.length > 0 ? [''] : []),
    ...waitingLines(plan, paint),
    ...plan.findings.map(({ severity, path, message, hint }) =>
      visibleLine(
        `${severity}: ${path.length > 0 ? `${formatPath(path)}: ` : ''}${message}${hint ? ` (${hint})` : ''}`,
      ),
    ),
    ...plan.notes.map((note) => `note    ${visibleLine(note)}`),
    ...(plan.cost ? [`cost    ${formatCost(plan.cost)}`] : []),
    `digest  ${plan.digest}`,
  ]
  return `${lines.join('\n')}\n`
}

function headline({ clusterName, changes, risk }: Plan): string {
  return changes.length === 0
    ? `${clusterName}: nothing to do`
    : `${clusterName}: ${countActions(changes)}; risk: ${risk}`
}

function* changeLines({ first: change, changes }: ChangeGroup, paint: Paint): Generator<string> {
  const sign = paint(colours[change.action], actionSigns[change.action])
  yield `  ${sign} ${visibleLine(subjectOfAll(changes))}  ${paint(dim, visibleLine(`${change.risk}: ${change.reason}`))}`
  for (const field of change.fields) yield `      ${visibleLine(formatField(field))}`
}

function waitingLines({ waiting }: Plan, paint: Paint): string[] {
  if (waiting.length === 0) return []
  return [
    `waiting (${verbAdvice.upgrade}):`,
    ...groupChanges(waiting).flatMap((group) => [...changeLines(group, paint)]),
    '',
  ]
}
