import { isJsonObject, type Json } from '../../../lib/json.ts'
import type { ListSchema } from '../schema/schema.ts'

/** The step that stands for an item of a shared list: its keys, or its value in a set. */
export function itemStep(schema: ListSchema, item: Json): string {
  if (schema.mode === 'set') return `v:${JSON.stringify(item)}`
  const names = schema.keys.map((key) => key.name).sort()
  const entries = names.flatMap((name) => {
    const fallback = schema.keys.find((key) => key.name === name)?.fallback
    const value = (isJsonObject(item) ? item[name] : undefined) ?? fallback
    return value === undefined ? [] : [[name, value] as const]
  })
  return `k:${JSON.stringify(Object.fromEntries(entries))}`
}

/** The items of a shared list by their steps, in order; of equal ones the last counts. */
export function itemsByStep(schema: ListSchema, list: Json | undefined): Map<string, Json> {
  const items: readonly Json[] = Array.isArray(list) ? list : []
  return new Map(items.map((item) => [itemStep(schema, item), item]))
}
