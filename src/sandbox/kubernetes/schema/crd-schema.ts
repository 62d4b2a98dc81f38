import type { Json } from '../../../lib/json.ts'
import { flagAt, objectAt, textAt, textsAt, valueAt } from '../model/read-json.ts'
import { builtinSchema } from './builtin-schema.ts'
import { anything, type Schema, type StructSchema } from './schema.ts'

/** The schema of a custom resource from the OpenAPI schema in its definition. */
export function crdSchema(openApi: Json | undefined): StructSchema {
  const root = toSchema(openApi)
  const fields = new Map<string, Schema>(root.kind === 'struct' ? root.fields : [])
  fields.set('apiVersion', { kind: 'string' })
  fields.set('kind', { kind: 'string' })
  fields.set('metadata', builtinSchema('ObjectMeta'))
  const open = root.kind !== 'struct' || root.open === true
  return { kind: 'struct', fields, atomic: false, ...(open ? { open } : {}) }
}

function toSchema(node: Json | undefined): Schema {
  if (flagAt(node, 'x-kubernetes-int-or-string')) return { kind: 'scalar' }
  switch (textAt(node, 'type')) {
    case 'object':
      return toMap(node)
    case 'array':
      return toList(node)
    case 'string':
      return { kind: 'string' }
    case 'integer':
    case 'number':
      return { kind: 'number' }
    case 'boolean':
      return { kind: 'boolean' }
    default:
      return anything
  }
}

function toMap(node: Json | undefined): Schema {
  const atomic = textAt(node, 'x-kubernetes-map-type') === 'atomic'
  const properties = Object.entries(objectAt(node, 'properties'))
  const open = flagAt(node, 'x-kubernetes-preserve-unknown-fields')
  if (properties.length > 0) {
    const fields = new Map(properties.map(([name, child]) => [name, toSchema(child)]))
    return { kind: 'struct', fields, atomic, ...(open ? { open } : {}) }
  }
  const additional = valueAt(node, 'additionalProperties')
  if (additional !== undefined && additional !== false) {
    return { kind: 'map', value: additional === true ? anything : toSchema(additional), atomic }
  }
  return open ? anything : { kind: 'struct', fields: new Map(), atomic }
}

function toList(node: Json | undefined): Schema {
  const item = toSchema(valueAt(node, 'items'))
  const type = textAt(node, 'x-kubernetes-list-type')
  if (type === 'set') return { kind: 'list', item, mode: 'set', keys: [] }
  if (type !== 'map') return { kind: 'list', item, mode: 'atomic', keys: [] }
  const keys = textsAt(node, 'x-kubernetes-list-map-keys').map((name) => {
    const fallback = textAt(node, 'items', 'properties', name, 'default')
    return fallback === '' ? { name } : { name, fallback }
  })
  return { kind: 'list', item, mode: 'map', keys }
}
