import type { Change } from '../plan/change.ts'
import { type DiffRules, diffRecords } from '../plan/diff-records.ts'
import { type ClusterRecord, partOf, recordKey } from '../plan/record.ts'
import type { Situation } from './kinds/talos-kind.ts'
import { appliedKinds, type TalosKindTable, talosKinds } from './kinds/talos-kinds.ts'

/**
 * The changes on what Talos holds: secrets, nodes and etcd. `lost` are nodes that the state remembers and whose servers
 * are gone, or go: they are recreated, and a control plane among them takes the place of its own former member.
 */
export function diffTalos(
  desired: readonly ClusterRecord[],
  live: readonly ClusterRecord[],
  lost: readonly ClusterRecord[] = [],
  kinds: TalosKindTable = talosKinds,
): Change[] {
  const running = live.some((record) => partOf(record) === 'etcd')
  const former = new Map(lost.map((record) => [recordKey(record), record]))
  return diffRecords(desired, live, rulesOf(kinds, { running })).map((change) => {
    const before = former.get(change.key)
    if (!before || change.action !== 'create' || change.risk !== 'quorum') return change
    const reason = 'its former member leaves etcd, and a new one joins'
    return { ...change, action: 'replace', before, reason }
  })
}

/** Whether a change rolls a node to another version: the work of the upgrade button. */
export function isUpgrade(
  { action, after, fields }: Change,
  kinds: TalosKindTable = talosKinds,
): boolean {
  const kind = appliedKinds(kinds).find(({ name }) => name === after?.kind)
  return action === 'update' && fields.some(({ path }) => kind?.versionFields.has(path))
}

function rulesOf(kinds: TalosKindTable, situation: Situation): DiffRules {
  const rules = new Map(appliedKinds(kinds).map((kind) => [kind.name, kind.rules(situation)]))
  const of = ({ kind }: ClusterRecord) => {
    const found = rules.get(kind)
    if (!found) throw new Error(`an apply compares no ${kind} of Talos`)
    return found
  }
  return {
    create: (after) => of(after).create(after),
    update: (before, after, fields) => of(after).update(before, after, fields),
    delete: (before) => of(before).delete(before),
  }
}
