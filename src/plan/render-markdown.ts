import { formatPath } from '../lib/finding.ts'
import type { Change, FieldChange } from './change.ts'
import {
  actionSigns,
  countActions,
  formatCost,
  subjectOfAll,
  verbAdvice,
} from './describe-change.ts'
import { formatField, shorten } from './format-field.ts'
import { type ChangeGroup, groupChanges } from './group-changes.ts'
import { escapeMarkdown, inlineCode } from './markdown-escape.ts'
import type { Plan } from './plan.ts'

/** How many changes stand open; more than these are folded, since plans are read on phones. */
const openChanges = 12

/** In characters: no single text may push the rest of a plan out of its comment. */
const longestValue = 240
const longestText = 1_000

/** What takes secrets out of a text. */
type Redact = (text: string) => string

/** How texts from outside are shown: without secrets first, as neither a cut nor an escaped one is found any more. */
interface Show {
  text(text: string): string
  code(text: string): string
  field(field: FieldChange): string
}

/** The plan as Markdown, for a comment or a job summary. Every text from outside is escaped. */
export function renderPlanMarkdown(plan: Plan, redact: Redact = (text) => text): string {
  return `${[...sections(plan, showBy(redact))].join('\n\n')}\n`
}

function showBy(redact: Redact): Show {
  return {
    text: (text) => escapeMarkdown(shorten(redact(text), longestText)),
    code: (text) => inlineCode(shorten(redact(text), longestText)),
    field: (field) => inlineCode(formatField(field, { redact, longest: longestValue })),
  }
}

function* sections(plan: Plan, show: Show): Generator<string> {
  const { clusterName, changes, waiting, findings, notes } = plan
  yield `### ${show.text(clusterName)}: ${changes.length === 0 ? 'nothing to do' : countActions(changes)}`
  const summary = [
    ...(plan.risk ? [`**Risk: ${plan.risk}**`] : []),
    ...(plan.cost ? [formatCost(plan.cost)] : []),
  ]
  if (summary.length > 0) yield summary.join(' · ')
  for (const finding of findings) {
    const where = finding.path.length > 0 ? `${show.code(formatPath(finding.path))}: ` : ''
    const hint = finding.hint ? ` ${sentence(finding.hint, show)}` : ''
    yield `> **${finding.severity}** ${where}${sentence(finding.message, show)}${hint}`
  }
  if (changes.length > 0) yield changeList(changes, show)
  if (waiting.length > 0) {
    yield `**Waiting** (${verbAdvice.upgrade}):\n\n${changeList(waiting, show)}`
  }
  for (const note of notes) yield `<sub>${show.text(note)}</sub>`
  yield `<sub>plan ${inlineCode(plan.digest.slice(0, 16))}</sub>`
}

function sentence(text: string, show: Show): string {
  return `${show.text(text.trim())}${/[.!?]$/.test(text.trim()) ? '' : '.'}`
}

function changeList(all: readonly Change[], show: Show): string {
  const changes = groupChanges(all)
  if (changes.length <= openChanges) return changeTable(changes, show)
  const rest = changes.slice(openChanges)
  return [
    changeTable(changes.slice(0, openChanges), show),
    `<details><summary>${rest.length} more</summary>\n\n${changeTable(rest, show)}\n\n</details>`,
  ].join('\n\n')
}

function changeTable(groups: readonly ChangeGroup[], show: Show): string {
  const rows = groups.map(({ first: change, changes }) => {
    const fields = change.fields.map((field) => `<br>${show.field(field)}`).join('')
    return `| ${actionSigns[change.action]} | ${show.text(subjectOfAll(changes))}${fields} | ${change.risk} | ${show.text(change.reason)} |`
  })
  return ['| | what | risk | why |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
