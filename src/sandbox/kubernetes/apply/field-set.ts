import { isJsonObject, type JsonObject } from '../../../lib/json.ts'

/**
 * A set of field paths as a tree: whether the path that leads here is in it, and what is below. The
 * steps are those of fieldsV1: `f:name`, `k:{"name":"x"}`, `v:"x"`.
 */
export interface FieldSet {
  readonly member: boolean
  readonly children: ReadonlyMap<string, FieldSet>
}

export const noFields: FieldSet = { member: false, children: new Map() }
export const thisField: FieldSet = { member: true, children: new Map() }

export function isEmptySet(set: FieldSet): boolean {
  return !set.member && set.children.size === 0
}

/** A set of what is below, without the empty parts. */
export function fieldSet(
  member: boolean,
  children: Iterable<readonly [string, FieldSet]>,
): FieldSet {
  return { member, children: new Map([...children].filter(([, child]) => !isEmptySet(child))) }
}

export function unionOf(...sets: readonly FieldSet[]): FieldSet {
  return sets.reduce((a, b) => combine(a, b, (inA, inB) => inA || inB), noFields)
}

/** The paths of `a` that are not in `b`; what is below a path of `b` stays. */
export function differenceOf(a: FieldSet, b: FieldSet): FieldSet {
  return combine(a, b, (inA, inB) => inA && !inB)
}

export function intersectionOf(a: FieldSet, b: FieldSet): FieldSet {
  return combine(a, b, (inA, inB) => inA && inB)
}

function combine(
  a: FieldSet,
  b: FieldSet,
  rule: (inA: boolean, inB: boolean) => boolean,
): FieldSet {
  const steps = new Set([...a.children.keys(), ...b.children.keys()])
  const children = [...steps].map((step) => {
    const below = combine(a.children.get(step) ?? noFields, b.children.get(step) ?? noFields, rule)
    return [step, below] as const
  })
  return fieldSet(rule(a.member, b.member), children)
}

/** The paths of `a` that are neither in `b` nor below a path of `b`. */
export function withoutTrees(a: FieldSet, b: FieldSet): FieldSet {
  if (b.member) return noFields
  const children = [...a.children].map(
    ([step, below]) => [step, withoutTrees(below, b.children.get(step) ?? noFields)] as const,
  )
  return fieldSet(a.member, children)
}

/** The same with every named field that leads to a path counted as a path, too. */
export function withNamedParents(set: FieldSet): FieldSet {
  const children = [...set.children].map(([step, below]) => {
    const deeper = withNamedParents(below)
    return [step, step.startsWith('f:') ? { ...deeper, member: true } : deeper] as const
  })
  return fieldSet(set.member, children)
}

/** Every path of the set, in the notation of Kubernetes's messages: `.spec.containers[name="a"].image`. */
export function pathsOf(set: FieldSet, prefix = ''): string[] {
  const below = [...set.children].flatMap(([step, child]) =>
    pathsOf(child, prefix + showStep(step)),
  )
  return set.member ? [prefix, ...below] : below
}

function showStep(step: string): string {
  const text = step.slice(2)
  if (step.startsWith('f:')) return `.${text}`
  if (step.startsWith('v:')) return `[=${text}]`
  const keys: unknown = JSON.parse(text)
  const shown = isJsonObject(keys)
    ? Object.entries(keys).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    : []
  return `[${shown.join(',')}]`
}

/** fieldsV1: a path is an empty object, or has a `.` where there are paths below it. */
export function encodeSet(set: FieldSet): JsonObject {
  const entries = [...set.children].sort(([a], [b]) => (a < b ? -1 : 1))
  const below = entries.map(([step, child]): [string, JsonObject] => [step, encodeSet(child)])
  return set.member && below.length > 0
    ? { '.': {}, ...Object.fromEntries(below) }
    : Object.fromEntries(below)
}

/** The inverse of `encodeSet`; the root itself is never a path. */
export function decodeSet(fields: JsonObject, root = true): FieldSet {
  const steps = Object.entries(fields).filter(([step]) => step !== '.')
  const member = !root && (steps.length === 0 || '.' in fields)
  return fieldSet(
    member,
    steps.map(([step, below]) => [step, decodeSet(isJsonObject(below) ? below : {}, false)]),
  )
}
