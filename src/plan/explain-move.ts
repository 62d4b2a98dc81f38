import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts'
import { formatValue } from './describe-change.ts'
import { diffFields } from './diff-records.ts'

/**
 * What of a change is not as it was approved, for people: `update server/a (size: approved 1 → 2, now 1 → 3)`.
 * Both are identities, as plans keep them; without an approved one of that record nothing more is to be said than
 * what would be done.
 */
export function explainMove(now: JsonObject, approved: JsonObject | undefined): string {
  const what = `${String(now['action'])} ${String(now['key'])}`
  if (!approved) return what
  const differences = [
    ...differing('action', approved['action'], now['action']),
    ...differing('risk', approved['risk'], now['risk']),
    ...movedFields(approved, now),
  ]
  return `${what} (${differences.join('; ')})`
}

function differing(name: string, approved: Json | undefined, now: Json | undefined): string[] {
  if (approved === now) return []
  return [`${name}: approved ${formatValue(approved)}, now ${formatValue(now)}`]
}

/** Where fields are compared they say it all; a record that is made or taken away whole has none. */
function movedFields(approved: JsonObject, now: JsonObject): string[] {
  const [before, after] = [fieldsOf(approved), fieldsOf(now)]
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  const moved = paths.flatMap((path) =>
    differing(path, before.get(path) ?? 'as it is', after.get(path) ?? 'as it is'),
  )
  if (moved.length > 0) return moved
  return diffFields(approved['after'], now['after']).map(
    (field) =>
      `${field.path}: approved ${formatValue(field.before)}, now ${formatValue(field.after)}`,
  )
}

function fieldsOf({ fields }: JsonObject): Map<string, string> {
  const all = Array.isArray(fields) ? fields.filter(isJsonObject) : []
  return new Map(
    all.map(({ path, before, after }) => [
      String(path),
      `${formatValue(before)} → ${formatValue(after)}`,
    ]),
  )
}
