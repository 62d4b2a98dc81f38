import { isLabelKey, isLabelValue } from './label-rules.ts'
import type { Labels } from './labels.ts'

/** Whether some labels fit a selector. */
export type LabelMatcher = (labels: Labels) => boolean

/**
 * Reads Hetzner's selector language: `k==v`, `k=v`, `k!=v`, `k`, `!k`, `k in (a,b)`, `k notin (a,b)`,
 * with commas for "and". Undefined for anything else. `k!=v` and `notin` also fit where k is absent.
 */
export function parseSelector(selector: string): LabelMatcher | undefined {
  const terms = splitTerms(selector)
  const matchers = terms.map(parseTerm)
  if (terms.length === 0 || matchers.includes(undefined)) return undefined
  return (labels) => matchers.every((matches) => matches?.(labels))
}

/** Splits at the commas that stand outside of parentheses. */
function splitTerms(selector: string): string[] {
  return selector.split(/,(?![^(]*\))/).map((term) => term.trim())
}

function parseTerm(term: string): LabelMatcher | undefined {
  return parseSet(term) ?? parseEquality(term) ?? parseExistence(term)
}

function parseSet(term: string): LabelMatcher | undefined {
  const [, key, operator, list] = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(term) ?? []
  if (key === undefined || list === undefined || !isLabelKey(key)) return undefined
  const values = list.split(',').map((value) => value.trim())
  if (!values.every(isLabelValue)) return undefined
  const has = (labels: Labels) => labels[key] !== undefined && values.includes(labels[key])
  return operator === 'in' ? has : (labels) => !has(labels)
}

function parseEquality(term: string): LabelMatcher | undefined {
  const [, key, operator, value] = /^([^=!\s]+)\s*(==|=|!=)\s*(\S*)$/.exec(term) ?? []
  if (key === undefined || value === undefined) return undefined
  if (!isLabelKey(key) || !isLabelValue(value)) return undefined
  return operator === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value
}

function parseExistence(term: string): LabelMatcher | undefined {
  const [, not, key] = /^(!?)\s*(\S+)$/.exec(term) ?? []
  if (key === undefined || !isLabelKey(key)) return undefined
  return not === '!' ? (labels) => labels[key] === undefined : (labels) => labels[key] !== undefined
}
