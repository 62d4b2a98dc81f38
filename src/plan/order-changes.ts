import { sortTasks } from '../lib/run-graph.ts'
import type { Change } from './change.ts'
import { type RecordKey, recordKinds } from './record.ts'

/**
 * The changes in the order in which a person reads and an apply may run them, each with exactly the
 * needs that this plan can meet. Making goes after what it needs; removing goes before what it needs,
 * so the needs of a delete are the deletes of all that depended on it. What a change merely follows goes
 * before it whatever either does, and counts as a need from then on. Pure; input order is forgotten.
 */
export function orderChanges(changes: readonly Change[]): Change[] {
  const sorted = [...changes].sort(byKindThenName)
  const made = new Set(sorted.filter((c) => c.action !== 'delete').map((c) => c.key))
  const removed = sorted.filter((change) => change.action === 'delete')
  const all = new Set(sorted.map((change) => change.key))
  const withNeeds = sorted.map(({ follows = [], ...change }) => ({
    ...change,
    needs: [
      ...new Set([
        ...(change.action === 'delete'
          ? removed.filter((other) => dependsOn(other, change.key)).map((other) => other.key)
          : change.needs.filter((key) => made.has(key))),
        ...follows.filter((key) => all.has(key)),
      ]),
    ],
  }))
  return sortTasks(
    withNeeds.map((change) => ({ id: change.key, needs: change.needs, change })),
  ).map(({ change }) => change)
}

function dependsOn(change: Change, key: RecordKey): boolean {
  return change.key !== key && change.before !== undefined && change.before.needs.includes(key)
}

function byKindThenName(a: Change, b: Change): number {
  const rank = (change: Change) => {
    const record = change.after ?? change.before
    const kind = record ? recordKinds.indexOf(record.kind) : 0
    return change.action === 'delete' ? 2 * recordKinds.length - kind : kind
  }
  return rank(a) - rank(b) || compareNatural(a.key, b.key)
}

/** `node-2` before `node-10`. */
function compareNatural(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
