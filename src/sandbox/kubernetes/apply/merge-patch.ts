import { isJsonObject, type Json } from '../../../lib/json.ts'

/** A JSON merge patch (RFC 7386): null takes a field away, objects are merged, the rest is replaced. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch
  const merged: Record<string, Json> = isJsonObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = mergePatch(merged[key], value)
  }
  return merged
}
