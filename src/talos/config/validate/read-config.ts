import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts'

/** What is at these keys below a value; undefined where something on the way is no mapping. */
export function valueAt(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>(
    (found, key) => (isJsonObject(found) ? found[key] : undefined),
    value,
  )
}

/** The mapping at these keys; an empty one for anything else. */
export function mappingAt(value: Json | undefined, ...keys: readonly string[]): JsonObject {
  const found = valueAt(value, ...keys)
  return isJsonObject(found) ? found : {}
}

/** The list at these keys; an empty one for anything else. */
export function listAt(value: Json | undefined, ...keys: readonly string[]): readonly Json[] {
  const found = valueAt(value, ...keys)
  return isList(found) ? found : []
}

/** Whether a list has anything in it: Go leaves out elements without a value. */
export function hasElements(list: readonly Json[]): boolean {
  return list.some((each) => each !== null)
}

/** The scalar at these keys as Go reads it into a string; empty for anything else. */
export function textAt(value: Json | undefined, ...keys: readonly string[]): string {
  return asText(valueAt(value, ...keys)) ?? ''
}

/** The number at these keys; 0 for anything else, as Go has it. */
export function numberAt(value: Json | undefined, ...keys: readonly string[]): number {
  const found = valueAt(value, ...keys)
  return typeof found === 'number' ? found : 0
}

/** Whether what is at these keys says yes, in the words that Go's YAML knows. */
export function isTrueAt(value: Json | undefined, ...keys: readonly string[]): boolean {
  const found = valueAt(value, ...keys)
  return found === true || (typeof found === 'string' && yes.includes(found))
}

/** Whether there is anything at these keys: null is nothing. */
export function isSetAt(value: Json | undefined, ...keys: readonly string[]): boolean {
  const found = valueAt(value, ...keys)
  return found !== undefined && found !== null
}

/** A scalar as Go reads it into a string; undefined for a list, a mapping and nothing. */
export function asText(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || typeof value === 'object') return undefined
  return String(value)
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Words of YAML 1.1 that Go takes for booleans where it wants one. */
export const yes = ['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON']
export const no = ['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF']
