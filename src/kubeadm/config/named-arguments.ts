import type { JsonObject } from '../../lib/json.ts'

/** Arguments as v1beta4 has them: a list, here in the order of their names. */
export function namedArguments(args: Readonly<Record<string, string>>): JsonObject[] {
  return Object.entries(args)
    .map(([name, value]) => ({ name, value }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A field that is left out where it would say nothing. */
export function extraArguments(field: string, args: Readonly<Record<string, string>>): JsonObject {
  return Object.keys(args).length === 0 ? {} : { [field]: namedArguments(args) }
}
