import { isJsonObject, type Json } from '../../lib/json.ts'

type TypeName = 'boolean' | 'number' | 'text' | 'object' | 'list'

/** What values at one place look like, however many there are. Null is no type: it fits any. */
export interface Shape {
  readonly types: ReadonlySet<TypeName>
  /** Of all objects together. */
  readonly fields: ReadonlyMap<string, Shape>
  /** Of all elements of all lists together; undefined where there was none. */
  readonly items: Shape | undefined
}

export interface ShapeDifference {
  /** `servers[].public_net.ipv4`. */
  readonly at: string
  readonly message: string
  /** The recording has it, and nothing here does. */
  readonly isMissing: boolean
}

/** Fields that are there for some states of a thing alone: a check of a load balancer explains what is unhealthy. */
const fieldsOfState = /(^|\.)health_status\[\]\.detail$/

/** Objects whose keys are the user's own. */
const freeKeys = ['labels']

export function shapeOf(values: readonly Json[], name = ''): Shape {
  const objects = freeKeys.includes(name) ? [] : values.filter(isJsonObject)
  const items = values.flatMap((value): readonly Json[] => (Array.isArray(value) ? value : []))
  const keys = new Set(objects.flatMap((object) => Object.keys(object)))
  const valuesOf = (key: string) =>
    objects.flatMap((object) => {
      const value = object[key]
      return value === undefined ? [] : [value]
    })
  return {
    types: new Set(values.flatMap(typeOf)),
    fields: new Map([...keys].map((key) => [key, shapeOf(valuesOf(key), key)])),
    items: items.length === 0 ? undefined : shapeOf(items),
  }
}

function typeOf(value: Json): TypeName[] {
  if (value === null) return []
  if (Array.isArray(value)) return ['list']
  if (typeof value === 'boolean') return ['boolean']
  if (typeof value === 'number') return ['number']
  return [typeof value === 'string' ? 'text' : 'object']
}

/**
 * Where two shapes differ: in types, and in fields that one of them lacks. What one of them does not show (an empty
 * list, null) is not compared.
 */
export function compareShapes(recorded: Shape, here: Shape, at = ''): ShapeDifference[] {
  const isOne = [...recorded.types].some((type) => here.types.has(type))
  if (recorded.types.size === 0 || here.types.size === 0) return []
  if (!isOne) {
    const message = `${[...recorded.types].join(' or ')} in the recording, ${[...here.types].join(' or ')} here`
    return [{ at, message, isMissing: false }]
  }
  const ofItems =
    recorded.items && here.items ? compareShapes(recorded.items, here.items, `${at}[]`) : []
  return [...compareFields(recorded, here, at), ...ofItems]
}

function compareFields(recorded: Shape, here: Shape, at: string): ShapeDifference[] {
  // An object without any fields on one side is one whose keys are free, or empty.
  const keys = new Set([...recorded.fields.keys(), ...here.fields.keys()])
  return [...keys].flatMap((key) => {
    const [there, ours] = [recorded.fields.get(key), here.fields.get(key)]
    const place = at === '' ? key : `${at}.${key}`
    if ((!ours || !there) && fieldsOfState.test(place)) return []
    if (!ours) return [{ at: place, message: 'missing here', isMissing: true }]
    if (!there) return [{ at: place, message: 'not in the recording', isMissing: false }]
    return compareShapes(there, ours, place)
  })
}
