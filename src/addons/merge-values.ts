import { isJsonObject, type JsonObject } from '../lib/json.ts'

/**
 * `over` laid over `base`, as helm merges values: objects key by key, everything else whole. A `null`
 * stays, since it takes away a chart's own default.
 */
export function mergeValues(base: JsonObject, over: JsonObject): JsonObject {
  // A map, since `__proto__` is a key like any other in a file, and none in an object that is assigned to.
  const merged = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(over)) {
    const below = merged.get(key)
    const both = below !== undefined && isJsonObject(below) && isJsonObject(value)
    merged.set(key, both ? mergeValues(below, value) : value)
  }
  return Object.fromEntries(merged)
}

/** What a user wrote, as JSON. What JSON cannot carry (a function, undefined) falls away. */
export function jsonValues(values: Readonly<Record<string, unknown>>): JsonObject {
  const parsed: unknown = JSON.parse(JSON.stringify(values))
  return isJsonObject(parsed) ? parsed : {}
}
