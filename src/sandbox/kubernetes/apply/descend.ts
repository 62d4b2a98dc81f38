import { isJsonObject, type Json } from '../../../lib/json.ts'
import { anything, type ListSchema, type Schema } from '../schema/schema.ts'
import { itemsByStep } from './list-items.ts'

/** How one value is made of parts that managers can own one by one; a leaf is owned as a whole. */
export type Parts =
  | { readonly kind: 'leaf' }
  | {
      readonly kind: 'fields'
      readonly schemaOf: (name: string) => { schema: Schema; named: boolean }
    }
  | { readonly kind: 'items'; readonly list: ListSchema }

const leaf: Parts = { kind: 'leaf' }

export function partsOf(schema: Schema, ...values: readonly (Json | undefined)[]): Parts {
  const present = values.filter((value) => value !== undefined && value !== null)
  switch (schema.kind) {
    case 'struct':
      if (schema.atomic || !present.every(isJsonObject)) return leaf
      return {
        kind: 'fields',
        schemaOf: (name) => ({
          schema: schema.fields.get(name) ?? anything,
          named: schema.fields.has(name),
        }),
      }
    case 'map':
      if (schema.atomic || !present.every(isJsonObject)) return leaf
      return { kind: 'fields', schemaOf: () => ({ schema: schema.value, named: false }) }
    case 'list':
      if (schema.mode === 'atomic' || !present.every(Array.isArray)) return leaf
      return { kind: 'items', list: schema }
    case 'any':
      if (present.length === 0 || !present.every(isJsonObject)) return leaf
      return { kind: 'fields', schemaOf: () => ({ schema: anything, named: false }) }
    default:
      return leaf
  }
}

/** The parts of a value by their steps (`f:name`, `k:{...}`, `v:...`), for parts that are no leaf. */
export function childrenOf(
  parts: Exclude<Parts, { kind: 'leaf' }>,
  value: Json | undefined,
): Map<string, Json> {
  if (parts.kind === 'items') return itemsByStep(parts.list, value)
  if (!isJsonObject(value)) return new Map()
  return new Map(Object.entries(value).map(([name, child]) => [`f:${name}`, child]))
}

export function schemaOfStep(
  parts: Exclude<Parts, { kind: 'leaf' }>,
  step: string,
): { schema: Schema; named: boolean } {
  return parts.kind === 'items'
    ? { schema: parts.list.item, named: false }
    : parts.schemaOf(step.slice(2))
}

/** The value that these parts make. */
export function assemble(
  parts: Exclude<Parts, { kind: 'leaf' }>,
  children: ReadonlyMap<string, Json>,
): Json {
  if (parts.kind === 'items') return [...children.values()]
  return Object.fromEntries([...children].map(([step, child]) => [step.slice(2), child]))
}
