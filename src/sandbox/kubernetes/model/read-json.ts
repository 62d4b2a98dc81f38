import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts'

/** What stands at a path; undefined where the path ends early. */
export function valueAt(value: Json | undefined, ...path: readonly (string | number)[]) {
  let found: Json | undefined = value
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = found[step]
    else if (isJsonObject(found) && typeof step === 'string') found = found[step]
    else return undefined
  }
  return found
}

/** The text at a path; empty where there is none. */
export function textAt(value: Json | undefined, ...path: readonly (string | number)[]): string {
  const found = valueAt(value, ...path)
  return typeof found === 'string' ? found : ''
}

export function numberAt(
  value: Json | undefined,
  ...path: readonly (string | number)[]
): number | undefined {
  const found = valueAt(value, ...path)
  return typeof found === 'number' ? found : undefined
}

/** Whether there is `true` at a path. */
export function flagAt(value: Json | undefined, ...path: readonly (string | number)[]): boolean {
  return valueAt(value, ...path) === true
}

/** The object at a path; empty where there is none. */
export function objectAt(
  value: Json | undefined,
  ...path: readonly (string | number)[]
): JsonObject {
  const found = valueAt(value, ...path)
  return isJsonObject(found) ? found : {}
}

/** The objects of the list at a path; empty where there is none. */
export function objectsAt(
  value: Json | undefined,
  ...path: readonly (string | number)[]
): JsonObject[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found.filter(isJsonObject) : []
}

/** The texts of the list at a path. */
export function textsAt(value: Json | undefined, ...path: readonly (string | number)[]): string[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : []
}

/** The map of texts at a path, such as labels. */
export function textMapAt(
  value: Json | undefined,
  ...path: readonly (string | number)[]
): Record<string, string> {
  const texts = Object.entries(objectAt(value, ...path)).flatMap(([key, item]) =>
    typeof item === 'string' ? [[key, item] as const] : [],
  )
  return Object.fromEntries(texts)
}
