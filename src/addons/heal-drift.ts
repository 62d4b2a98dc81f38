import { describeRef } from '../lib/kubernetes-object.ts'
import type { SetDrift } from '../lib/object-set.ts'
import type { Change, FieldChange } from '../plan/change.ts'
import { type ClusterRecord, recordKey } from '../plan/record.ts'

/** What of addons was changed by hand, by the addon's name. */
export type AddonDrifts = ReadonlyMap<string, readonly SetDrift[]>

/**
 * The changes of a plan with those that put back what was changed by hand in the objects of addons. An addon that
 * changes anyway, or goes, is brought to what is wanted with that.
 */
export function healAddonDrifts(
  changes: readonly Change[],
  drifts: AddonDrifts,
  { desired, live }: { desired: readonly ClusterRecord[]; live: readonly ClusterRecord[] },
): Change[] {
  const own = new Set<string>(changes.map(({ key }) => key))
  const before = new Map(live.map((record) => [recordKey(record), record]))
  const healing = desired.flatMap((after): Change[] => {
    const key = recordKey(after)
    const former = before.get(key)
    const found = drifts.get(after.name) ?? []
    if (after.kind !== 'addon' || !former || own.has(key) || found.length === 0) return []
    return [
      {
        key,
        action: 'update',
        before: former,
        after,
        fields: found.map(toField).sort((a, b) => (a.path < b.path ? -1 : 1)),
        reason: `changed by hand and put back: ${describeAddonDrift(found)}`,
        risk: 'live',
        needs: after.needs,
      },
    ]
  })
  return [...changes, ...healing]
}

/** `DaemonSet kube-system/cilium is missing and 2 more`. */
export function describeAddonDrift(drifts: readonly SetDrift[]): string {
  const [first, ...others] = drifts.map(({ ref, type }) => `${describeRef(ref)} is ${type}`)
  return `${first ?? 'nothing'}${others.length > 0 ? ` and ${others.length} more` : ''}`
}

/** Values may be secret: only where they differ is reported. */
function toField({ ref, type, paths, stays }: SetDrift): FieldChange {
  const path = describeRef(ref)
  if (type === 'missing')
    return { path, before: undefined, after: 'as it was applied', byHand: true }
  if (type === 'unwanted') {
    return { path, before: 'there', after: stays ? 'left, and forgotten' : undefined, byHand: true }
  }
  const shown = paths.slice(0, mostPaths)
  const more = paths.length > mostPaths ? `, and ${paths.length - mostPaths} more` : ''
  return { path, before: `${shown.join(', ')}${more}`, after: 'as it was applied', byHand: true }
}

const mostPaths = 5
