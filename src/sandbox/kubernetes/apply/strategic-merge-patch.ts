import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts'
import { badRequest } from '../model/api-error.ts'
import { textAt, textsAt } from '../model/read-json.ts'
import { anything, type ListSchema, type Schema } from '../schema/schema.ts'

/**
 * A strategic merge patch: as a merge patch, but lists that have keys are merged item by item, and
 * `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/x` and `$setElementOrder/x` are understood.
 */
export function strategicMergePatch(
  schema: Schema,
  target: Json | undefined,
  patch: Json,
): Json | undefined {
  if (!isJsonObject(patch)) return patch
  const directive = textAt(patch, '$patch')
  if (directive === 'delete') return undefined
  if (directive === 'replace') return fieldsOf(patch)
  const merged: Record<string, Json> = isJsonObject(target) ? { ...target } : {}
  if (patch['$retainKeys'] !== undefined) retain(merged, textsAt(patch, '$retainKeys'))
  for (const [name, gone] of directives(patch, '$deleteFromPrimitiveList/')) {
    merged[name] = listOf(merged[name]).filter((item) => !listOf(gone).includes(item))
  }
  for (const [name, value] of Object.entries(fieldsOf(patch))) {
    const next =
      value === null ? undefined : patchField(fieldSchema(schema, name), merged[name], value)
    if (next === undefined) delete merged[name]
    else merged[name] = next
  }
  for (const [name, order] of directives(patch, '$setElementOrder/')) {
    merged[name] = reorder(fieldSchema(schema, name), listOf(merged[name]), listOf(order))
  }
  return merged
}

function patchField(schema: Schema, target: Json | undefined, value: Json): Json | undefined {
  if (Array.isArray(value) && schema.kind === 'list' && schema.mode !== 'atomic') {
    return schema.mode === 'set'
      ? [...new Set([...listOf(target), ...value])]
      : mergeItems(schema, listOf(target), value)
  }
  return strategicMergePatch(schema, target, value)
}

function mergeItems(schema: ListSchema, target: readonly Json[], patch: readonly Json[]): Json[] {
  if (patch.some((item) => textAt(item, '$patch') === 'replace')) {
    return patch.filter((item) => textAt(item, '$patch') !== 'replace')
  }
  const items = [...target]
  for (const item of patch) {
    const key = mergeKey(schema, item)
    const at = items.findIndex((other) => isDeepStrictEqual(mergeKey(schema, other), key))
    const next = strategicMergePatch(schema.item, items[at], item)
    if (next === undefined) items.splice(at < 0 ? items.length : at, 1)
    else if (at < 0) items.push(next)
    else items[at] = next
  }
  return items
}

/** Strategic merge tells items apart by their first key alone. */
function mergeKey(schema: ListSchema, item: Json): Json {
  const name = schema.keys[0]?.name ?? ''
  const key = isJsonObject(item) ? item[name] : undefined
  if (key === undefined) {
    throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${name}`)
  }
  return key
}

function reorder(schema: Schema, items: Json[], order: readonly Json[]): Json[] {
  if (schema.kind !== 'list' || schema.mode === 'atomic') return items
  const name = schema.keys[0]?.name
  const keyOf = (item: Json) => (name !== undefined && isJsonObject(item) ? item[name] : item)
  const rank = (item: Json) =>
    order.findIndex((other) => isDeepStrictEqual(keyOf(other), keyOf(item)))
  const listed = items.filter((item) => rank(item) >= 0).sort((a, b) => rank(a) - rank(b))
  return items.map((item) => (rank(item) >= 0 ? (listed.shift() ?? item) : item))
}

function retain(merged: Record<string, Json>, keys: readonly string[]): void {
  for (const key of Object.keys(merged)) if (!keys.includes(key)) delete merged[key]
}

function fieldSchema(schema: Schema, name: string): Schema {
  if (schema.kind === 'struct') return schema.fields.get(name) ?? anything
  return schema.kind === 'map' ? schema.value : anything
}

function fieldsOf(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !name.startsWith('$')))
}

function directives(patch: JsonObject, prefix: string): [string, Json][] {
  return Object.entries(patch)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value])
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? [...value] : []
}
