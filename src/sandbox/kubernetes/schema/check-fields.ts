import { isJsonObject, type Json } from '../../../lib/json.ts'
import type { Schema } from './schema.ts'

export interface FieldCheck {
  /** The value without the fields that its type does not have, and without nulls. */
  readonly value: Json
  /** `spec.foo`, `spec.template.spec.containers[0].bar`. */
  readonly unknown: readonly string[]
  /** `spec.replicas: expected a number, got a string`. */
  readonly wrong: readonly string[]
}

/** Holds a value against its type: what it has too much, and what has the wrong form. */
export function checkFields(schema: Schema, value: Json): FieldCheck {
  const unknown: string[] = []
  const wrong: string[] = []
  const checked = walk(schema, value, '', { unknown, wrong })
  return { value: checked, unknown, wrong }
}

interface Problems {
  readonly unknown: string[]
  readonly wrong: string[]
}

function walk(schema: Schema, value: Json, path: string, problems: Problems): Json {
  if (value === null || schema.kind === 'any') return value
  if (!hasForm(schema, value)) {
    problems.wrong.push(`${path}: expected ${formName(schema)}, got ${describe(value)}`)
    return value
  }
  if (schema.kind === 'list' && Array.isArray(value)) {
    return value.map((item, index) => walk(schema.item, item, `${path}[${index}]`, problems))
  }
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, child]): [string, Json][] => {
    const here = path === '' ? name : `${path}.${name}`
    if (child === null) return []
    if (schema.kind === 'map') return [[name, walk(schema.value, child, here, problems)]]
    if (schema.kind !== 'struct') return [[name, child]]
    const field = schema.fields.get(name)
    if (field) return [[name, walk(field, child, here, problems)]]
    if (schema.open) return [[name, child]]
    problems.unknown.push(here)
    return []
  })
  return Object.fromEntries(entries)
}

function hasForm(schema: Schema, value: Json): boolean {
  switch (schema.kind) {
    case 'struct':
    case 'map':
      return isJsonObject(value)
    case 'list':
      return Array.isArray(value)
    case 'scalar':
      return typeof value === 'string' || typeof value === 'number'
    case 'any':
      return true
    default:
      return typeof value === schema.kind
  }
}

function formName(schema: Schema): string {
  if (schema.kind === 'struct' || schema.kind === 'map') return 'a map'
  if (schema.kind === 'list') return 'a list'
  return schema.kind === 'scalar' ? 'a string or a number' : `a ${schema.kind}`
}

function describe(value: Json): string {
  if (Array.isArray(value)) return 'a list'
  return isJsonObject(value) ? 'a map' : `a ${typeof value}`
}
