import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts'

/**
 * `over` laid over `base`, as helm merges values: objects key by key, everything else whole. A `null`
 * stays, since it takes away a chart's own default.
 */
export function mergeValues(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key]
    merged[key] = isJsonObject(below) && isJsonObject(value) ? mergeValues(below, value) : value
  }
  return merged
}

/** What a user wrote, as JSON. What JSON cannot carry (a function, undefined) falls away. */
export function jsonValues(values: Readonly<Record<string, unknown>>): JsonObject {
  const parsed: unknown = JSON.parse(JSON.stringify(values))
  return isJsonObject(parsed) ? parsed : {}
}
