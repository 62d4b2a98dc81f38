import type { z } from 'zod'
import { formatPath } from '../../lib/finding.ts'
import type { CheckFinding } from '../checks/spec-check.ts'
import { nearestName } from '../nearest-name.ts'
import { describeValue, quoteValue } from '../quote-value.ts'
import { valueAt } from '../yaml/value-at.ts'
import type { Path } from '../yaml/yaml-source.ts'
import { unpackMessage } from './field-format.ts'
import type { FileShape } from './file-shape.ts'

type Issue = z.core.$ZodIssue

/** What the messages need to know of the file besides the issue. */
export interface IssueContext {
  /** The file as plain values. */
  readonly root: unknown
  /** A scalar as it is written in the text, where there is one. */
  readonly written: (path: Path) => string | undefined
  /** Which fields there are. */
  readonly shape: FileShape
}

/** What zod found, in plain words: one finding for each mistake. */
export function explainIssue(issue: Issue, context: IssueContext, base: Path = []): CheckFinding[] {
  const path: Path = [...base, ...issue.path.map(toStep)]
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(path, key, context.shape))
    case 'invalid_union':
      return explainUnion(issue, context, path)
    case 'invalid_type':
      return [wrongType(path, issue.expected, context)]
    case 'invalid_value':
      return [notOneOf(path, issue.values.map(String), valueAt(context.root, path))]
    case 'invalid_key':
      return issue.issues.slice(0, 1).map((inner) => ({
        ...must(path, inner.message),
        atKey: true,
      }))
    case 'too_big':
      return [error(path, tooBig(issue))]
    case 'too_small':
      return [error(path, tooSmall(issue))]
    default:
      return [must(path, issue.message)]
  }
}

function explainUnion(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  context: IssueContext,
  path: Path,
): CheckFinding[] {
  const value = valueAt(context.root, path)
  if (issue.errors.length === 0) {
    const options = 'options' in issue ? (issue.options ?? []) : []
    return [notOneOf(path, options.map(String), value)]
  }
  const isOfThisKind = (branch: readonly Issue[]) =>
    !branch.some((inner) => inner.code === 'invalid_type' && inner.path.length === 0)
  const meant = issue.errors.find(isOfThisKind)
  if (meant !== undefined) return meant.flatMap((inner) => explainIssue(inner, context, path))
  const kinds = issue.errors.flatMap((branch) =>
    branch.flatMap((inner) => (inner.code === 'invalid_type' ? [kindOf(inner.expected)] : [])),
  )
  return [
    error(
      path,
      `must be ${[...new Set(kinds)].join(' or ')}, but is ${describeValue(value, path)}`,
    ),
  ]
}

function wrongType(path: Path, expected: string, context: IssueContext): CheckFinding {
  const value = valueAt(context.root, path)
  if (value === undefined) return missing(path)
  if (value === null && path.length > 0) {
    return error(
      path,
      'has no value',
      'Give it one, or remove the line; what is left out has its default.',
    )
  }
  return error(
    path,
    `must be ${kindOf(expected)}, but is ${describeValue(value, path)}`,
    path.length === 0
      ? 'Start from what `hcloud-talos init` writes.'
      : typeHint(expected, value, context.written(path)),
  )
}

function missing(path: Path): CheckFinding {
  const field = String(path.at(-1))
  const holder = path.slice(0, -1)
  const place = holder.length === 0 ? 'the file' : formatPath(holder)
  return {
    severity: 'error',
    path,
    message: `${place} has no ${field}, which is needed`,
    hint: `Add ${formatPath(path)}.`,
    atKey: true,
  }
}

function typeHint(
  expected: string,
  value: unknown,
  written: string | undefined,
): string | undefined {
  if (expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
    return `Put it in quotes: "${written ?? value}".`
  }
  if (expected === 'boolean' && typeof value === 'string') {
    if (/^(yes|on|true|y)$/i.test(value)) return 'Write true, without quotes.'
    if (/^(no|off|false|n)$/i.test(value)) return 'Write false, without quotes.'
  }
  const isNumber = expected === 'int' || expected === 'number'
  if (isNumber && typeof value === 'string' && /^\d+$/.test(value)) {
    return `Write ${value} without quotes.`
  }
  if (expected === 'array' && typeof value !== 'object')
    return 'Write it as a list: one line "- …" for each entry.'
  return undefined
}

function unknownKey(path: Path, key: string, shape: FileShape): CheckFinding {
  const known = shape.fieldsAt(path)
  const place = path.length === 0 ? 'the file' : formatPath(path)
  const near = nearestName(key, known)
  return {
    severity: 'error',
    path: [...path, key],
    message: `${place} has no field ${quoteValue(key)}`,
    hint: near === undefined ? elsewhere(shape.pathsOfField(key), known) : `Did you mean ${near}?`,
    atKey: true,
  }
}

function elsewhere([place]: readonly string[][], known: readonly string[]): string {
  if (place !== undefined) return `Move it to ${place.join('.')}.`
  return known.length === 0 ? 'Remove it.' : `Use one of the known fields: ${known.join(', ')}.`
}

function notOneOf(path: Path, allowed: readonly string[], value: unknown): CheckFinding {
  if (value === undefined) return missing(path)
  const near = typeof value === 'string' ? nearestName(value, allowed) : undefined
  return error(
    path,
    `must be ${allowed.join(' or ')}, but is ${describeValue(value, path)}`,
    near === undefined ? undefined : `Did you mean ${near}?`,
  )
}

function tooBig(issue: Extract<Issue, { code: 'too_big' }>): string {
  const most = String(issue.maximum)
  if (issue.origin === 'string') return `must have ${most} characters at most`
  if (issue.origin === 'array') return `must have ${most} entries at most`
  return `must be ${most} at most`
}

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  if (issue.origin === 'array') return 'must have at least one entry'
  return `must be at least ${issue.minimum}`
}

function must(path: Path, message: string): CheckFinding {
  const { must: rule, hint } = unpackMessage(message)
  return error(path, rule, hint)
}

function error(path: Path, rule: string, hint?: string): CheckFinding {
  const subject = path.length === 0 ? 'the file' : formatPath(path)
  return {
    severity: 'error',
    path,
    message: `${subject} ${rule}`,
    ...(hint !== undefined && { hint }),
  }
}

function kindOf(expected: string): string {
  return kinds[expected] ?? expected
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
}

function toStep(part: PropertyKey): string | number {
  return typeof part === 'symbol' ? part.toString() : part
}
