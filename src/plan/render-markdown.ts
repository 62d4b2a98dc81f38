import { formatPath } from '../lib/finding.ts'
import type { Change } from './change.ts'
import {
  actionSigns,
  countActions,
  formatCost,
  formatField,
  shorten,
  subjectOfAll,
  verbAdvice,
} from './describe-change.ts'
import { type ChangeGroup, groupChanges } from './group-changes.ts'
import { escapeMarkdown, inlineCode } from './markdown-escape.ts'
import type { Plan } from './plan.ts'

/** How many changes stand open; more than these are folded, since plans are read on phones. */
const openChanges = 12

/** In characters: no single text may push the rest of a plan out of its comment. */
const longestValue = 240
const longestText = 1_000

/** The plan as Markdown, for a comment or a job summary. Every text from outside is escaped. */
export function renderPlanMarkdown(plan: Plan): string {
  return `${[...sections(plan)].join('\n\n')}\n`
}

function* sections(plan: Plan): Generator<string> {
  const { clusterName, changes, waiting, findings, notes } = plan
  yield `### ${escapeMarkdown(clusterName)}: ${changes.length === 0 ? 'nothing to do' : countActions(changes)}`
  yield `${plan.risk ? `**Risk: ${plan.risk}** · ` : ''}${formatCost(plan)}`
  for (const finding of findings) {
    const where = finding.path.length > 0 ? `${inlineCode(formatPath(finding.path))}: ` : ''
    const hint = finding.hint ? ` ${sentence(finding.hint)}` : ''
    yield `> **${finding.severity}** ${where}${sentence(finding.message)}${hint}`
  }
  if (changes.length > 0) yield changeList(changes)
  if (waiting.length > 0) {
    yield `**Waiting** (${verbAdvice.upgrade}):\n\n${changeList(waiting)}`
  }
  for (const note of notes) yield `<sub>${short(note)}</sub>`
  yield `<sub>plan ${inlineCode(plan.digest.slice(0, 16))}</sub>`
}

function sentence(text: string): string {
  return `${short(text.trim())}${/[.!?]$/.test(text.trim()) ? '' : '.'}`
}

function short(text: string): string {
  return escapeMarkdown(shorten(text, longestText))
}

function changeList(all: readonly Change[]): string {
  const changes = groupChanges(all)
  if (changes.length <= openChanges) return changeTable(changes)
  const rest = changes.slice(openChanges)
  return [
    changeTable(changes.slice(0, openChanges)),
    `<details><summary>${rest.length} more</summary>\n\n${changeTable(rest)}\n\n</details>`,
  ].join('\n\n')
}

function changeTable(groups: readonly ChangeGroup[]): string {
  const rows = groups.map(({ first: change, changes }) => {
    const fields = change.fields
      .map((field) => `<br>${inlineCode(formatField(field, longestValue))}`)
      .join('')
    return `| ${actionSigns[change.action]} | ${escapeMarkdown(subjectOfAll(changes))}${fields} | ${change.risk} | ${short(change.reason)} |`
  })
  return ['| | what | risk | why |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
