import { canonicalJson } from '../lib/canonical-json.ts'
import type { Change } from './change.ts'

/** Changes that read the same, of one kind of record. */
export interface ChangeGroup {
  readonly first: Change
  /** All of them, in the plan's order. */
  readonly changes: readonly Change[]
}

/**
 * The changes for people: what is done to many records in the same way, with the same fields, for the same reason,
 * is one. Creations and deletions stay apart: which ones they are is what they say. Nothing that is compared or
 * approved stands on this.
 */
export function groupChanges(changes: readonly Change[]): ChangeGroup[] {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const key = change.action === 'update' ? likeness(change) : change.key
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  return [...groups.values()].flatMap((all) => {
    const [first] = all
    return first ? [{ first, changes: all }] : []
  })
}

function likeness({ after, before, action, risk, reason, fields }: Change): string {
  const compared = fields.map(({ path, before: from, after: to, byHand = false }) => [
    path,
    from === undefined ? [] : [from],
    to === undefined ? [] : [to],
    byHand,
  ])
  return canonicalJson([(after ?? before)?.kind ?? '', action, risk, reason, compared])
}
