import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type Json } from '../../../lib/json.ts'
import type { Schema } from '../schema/schema.ts'
import { assemble, childrenOf, partsOf, schemaOfStep } from './descend.ts'
import { type FieldSet, fieldSet, noFields, thisField } from './field-set.ts'

/** The fields that somebody who applies `value` owns: its leaves and the items of its shared lists. */
export function ownedFields(schema: Schema, value: Json): FieldSet {
  const parts = partsOf(schema, value)
  if (parts.kind === 'leaf') return thisField
  const children = [...childrenOf(parts, value)].map(([step, child]) => {
    const below = schemaOfStep(parts, step)
    const owned = ownedFields(below.schema, child)
    const itself = parts.kind === 'items' || !below.named || isNothing(child)
    return [step, itself ? { ...owned, member: true } : owned] as const
  })
  return fieldSet(false, children)
}

function isNothing(value: Json): boolean {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0)
}

/** `applied` laid over `live`: shared parts are merged, everything else is taken from `applied`. */
export function mergeApplied(schema: Schema, live: Json | undefined, applied: Json): Json {
  const parts = partsOf(schema, live, applied)
  if (parts.kind === 'leaf' || live === undefined || live === null) return applied
  const before = childrenOf(parts, live)
  const over = childrenOf(parts, applied)
  const order =
    parts.kind === 'items' ? itemOrder(before, over) : [...before.keys(), ...over.keys()]
  const merged = new Map<string, Json>()
  for (const step of new Set(order)) {
    const [old, next] = [before.get(step), over.get(step)]
    const value =
      next === undefined ? old : mergeApplied(schemaOfStep(parts, step).schema, old, next)
    if (value !== undefined) merged.set(step, value)
  }
  return assemble(parts, merged)
}

/** The applied items in their order, the others each behind the one that it follows now. */
function itemOrder(before: ReadonlyMap<string, Json>, over: ReadonlyMap<string, Json>): string[] {
  const order = [...over.keys()]
  let previous = -1
  for (const step of before.keys()) {
    const at = order.indexOf(step)
    if (at >= 0) previous = at
    else order.splice(++previous, 0, step)
  }
  return order
}

export interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

const same: Comparison = { added: noFields, modified: noFields, removed: noFields }

/** Which fields came, changed and went between two values. */
export function compareValues(
  schema: Schema,
  before: Json | undefined,
  after: Json | undefined,
): Comparison {
  if (before === after) return same
  const parts = partsOf(schema, before, after)
  if (parts.kind === 'leaf') return compareLeaves(before, after)
  const [old, next] = [childrenOf(parts, before), childrenOf(parts, after)]
  if (old.size === 0 && next.size === 0) return compareLeaves(before, after)
  const added: [string, FieldSet][] = []
  const modified: [string, FieldSet][] = []
  const removed: [string, FieldSet][] = []
  for (const step of new Set([...old.keys(), ...next.keys()])) {
    const { schema: below } = schemaOfStep(parts, step)
    const found = compareValues(below, old.get(step), next.get(step))
    const isNew = parts.kind === 'items' && !old.has(step)
    added.push([step, isNew ? { ...found.added, member: true } : found.added])
    modified.push([step, found.modified])
    removed.push([step, found.removed])
  }
  const shared = schema.kind !== 'struct'
  return {
    added: fieldSet(shared && before === undefined, added),
    modified: fieldSet(false, modified),
    removed: fieldSet(after === undefined, removed),
  }
}

function compareLeaves(before: Json | undefined, after: Json | undefined): Comparison {
  if (before === undefined) return after === undefined ? same : { ...same, added: thisField }
  if (after === undefined) return { ...same, removed: thisField }
  return isDeepStrictEqual(before, after) ? same : { ...same, modified: thisField }
}

/** `value` without these fields, each taken away with all that is below it. */
export function removeFields(schema: Schema, value: Json, gone: FieldSet): Json {
  const parts = partsOf(schema, value)
  if (parts.kind === 'leaf' || gone.children.size === 0) return value
  const kept = new Map<string, Json>()
  for (const [step, child] of childrenOf(parts, value)) {
    const below = gone.children.get(step)
    if (below?.member) continue
    const left = below ? removeFields(schemaOfStep(parts, step).schema, child, below) : child
    kept.set(step, left)
  }
  return assemble(parts, kept)
}
