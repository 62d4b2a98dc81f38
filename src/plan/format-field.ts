import { textDigest } from '../lib/canonical-json.ts'
import type { Json } from '../lib/json.ts'
import { visibleLine } from '../lib/visible-text.ts'
import type { FieldChange } from './change.ts'
import { formatValue } from './describe-change.ts'

export interface FieldFormat {
  /** What takes secrets out of a text. */
  readonly redact?: (text: string) => string
  /** In characters; of longer values only a part is shown. */
  readonly longest?: number
}

/** How much of what two values have in common stands before their first difference. */
const context = 80

/**
 * `labels.pool: a → b`. People approve what they read here, so values that differ never look the same: a cut one shows
 * where the difference begins, and values that differ in what nobody sees are distinguished in words.
 */
export function formatField(
  { path, before, after, byHand }: FieldChange,
  { redact = (text) => text, longest = Number.POSITIVE_INFINITY }: FieldFormat = {},
): string {
  const was = { value: before, text: redact(formatValue(before)) }
  const will = { value: after, text: redact(formatValue(after)) }
  const note = byHand ? ' (changed by hand)' : ''
  return `${shorten(redact(path), longest)}: ${shortenApart(was, will, longest).join(' → ')}${note}`
}

interface Shown {
  readonly value: Json | undefined
  readonly text: string
}

function shortenApart(before: Shown, after: Shown, longest: number): readonly [string, string] {
  const start = startOfCut(before.text, after.text, longest)
  const was = shorten(before.text, longest, start)
  const will = shorten(after.text, longest, start)
  if (appearance(was) !== appearance(will)) return [was, will]
  if (before.text !== after.text) {
    return [`${was} ${sizeOf(before.text)}`, `${will} ${sizeOf(after.text)}`]
  }
  const [old, now] = [kindOf(before.value), kindOf(after.value)]
  // The same kind twice is what was redacted: who reads this may not see more of it.
  return old === now ? [was, will] : [`${was} (${old})`, `${will} (${now})`]
}

/** Both are cut at one place, so that the first character that differs is in what is left of each. */
function startOfCut(before: string, after: string, longest: number): number {
  let same = 0
  while (same < before.length && before[same] === after[same]) same++
  const rest = Math.max(before.length, after.length) - longest
  return before === after ? 0 : Math.max(0, Math.min(same - context, rest))
}

/** A text with its ends cut where it is longer, and distinguished from others by its digest. */
export function shorten(text: string, longest: number, start = 0): string {
  if (text.length <= longest) return text
  const end = start + longest
  const [head, tail] = [start > 0 ? '…' : '', end < text.length ? '…' : '']
  return `${head}${text.slice(start, end)}${tail} ${sizeOf(text)}`
}

function sizeOf(text: string): string {
  return `(${text.length} characters, SHA-256 ${textDigest(text).slice(0, 12)})`
}

/** What is left of a text where it is rendered on one line. */
function appearance(text: string): string {
  return visibleLine(text).replaceAll(/\s+/g, ' ')
}

function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'not set'
  return typeof value === 'string' ? 'text' : typeof value
}
