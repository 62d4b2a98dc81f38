import type { Change } from '../plan/change.ts'
import { type ClusterRecord, partOf, recordKey } from '../plan/record.ts'

const reason =
  'it runs, and Kubernetes does not know it: its kubelet is restarted, and registers it'

/** The changes with those that bring back nodes which Kubernetes does not know, by name. Pure. */
export function registerNodes(
  changes: readonly Change[],
  unregistered: ReadonlySet<string>,
  { desired, live }: { desired: readonly ClusterRecord[]; live: readonly ClusterRecord[] },
): Change[] {
  const field = { path: 'kubernetes', before: 'unknown', after: 'registered' }
  const own = new Map(changes.map((change) => [change.key, change]))
  const former = new Map(live.map((record) => [recordKey(record), record]))
  const added = desired.flatMap((after): Change[] => {
    const key = recordKey(after)
    const before = former.get(key)
    const isMissing = partOf(after) === 'node' && unregistered.has(after.name)
    if (!isMissing || !before || own.has(key)) return []
    const subject = { key, before, after, needs: after.needs }
    return [{ ...subject, action: 'update', fields: [field], reason, risk: 'live' }]
  })
  const joined = changes.map((change) => {
    const { action, after } = change
    const isIts = after && partOf(after) === 'node' && unregistered.has(after.name)
    if (action !== 'update' || !isIts) return change
    return { ...change, fields: [...change.fields, field], reason: `${change.reason}; ${reason}` }
  })
  return [...joined, ...added]
}
