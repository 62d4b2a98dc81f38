import type { Change } from '../plan/change.ts'
import { type ChangedByHand, diffRecords } from '../plan/diff-records.ts'
import { type ClusterRecord, type RecordKey, recordKey } from '../plan/record.ts'
import type { HetznerKind } from './kinds/hetzner-kind.ts'
import { type HetznerKindTable, hetznerKinds, kindOf } from './kinds/hetzner-kinds.ts'

export interface DiffOptions {
  /** Names of servers that were once up and configured: if off, somebody switched them off. */
  readonly finished?: ReadonlySet<string>
  /** Servers that are to be replaced although nothing differs, by name, each with the reason. */
  readonly replace?: ReadonlyMap<string, string>
  /** Fields that differ because somebody changed them by hand. */
  readonly byHand?: ChangedByHand
  readonly kinds?: HetznerKindTable
}

/**
 * The changes that lead from what Hetzner has to what the spec asks for. Pure. A resource whose
 * making was cut short is still a create, the same that was planned before, so that a run which goes
 * on does what was approved. Images are made only for servers that are made.
 */
export function diffHetzner(
  desired: readonly ClusterRecord[],
  live: readonly ClusterRecord[],
  { finished = new Set(), replace = new Map(), byHand, kinds = hetznerKinds }: DiffOptions = {},
): Change[] {
  const wanted = new Map(desired.map((record) => [recordKey(record), record]))
  const isBegun = (record: ClusterRecord) =>
    kindOf(record, kinds).compare.isUnfinished(record, {
      wasFinished: finished.has(record.name),
      isChangedByHand: byHand?.has(recordKey(record)) ?? false,
    })
  const known = live.flatMap((record) => {
    const after = wanted.get(recordKey(record))
    if (!after) return [record]
    if (isBegun(record)) return []
    return [kindOf(record, kinds).compare.compared(record, after)]
  })
  const found = Object.values(kinds).flatMap(({ name, compare }) =>
    diffRecords(ofKind(desired, name), ofKind(known, name), compare.rules, byHand),
  )
  const asked = ofKind(known, 'server')
    .flatMap((before) =>
      replaceServer(before, wanted.get(recordKey(before)), replace.get(before.name)),
    )
    .filter(({ key }) => !found.some((change) => change.key === key && change.action === 'replace'))
  const askedKeys = new Set(asked.map(({ key }) => key))
  const changes = [...found.filter(({ key }) => !askedKeys.has(key)), ...asked]
  const unfinished = new Set(
    live.filter((record) => wanted.has(recordKey(record)) && isBegun(record)).map(recordKey),
  )
  const wantedChanges = withoutUnneeded(changes, kinds)
  return oneAtATime(orderDeletes(wantedChanges), kinds).map((change) =>
    unfinished.has(change.key)
      ? { ...change, reason: 'its making was cut short and goes on' }
      : withReasonOfDrift(change),
  )
}

function withReasonOfDrift(change: Change): Change {
  const { action, fields, reason } = change
  if (action !== 'update' || !fields.some(({ byHand }) => byHand)) return change
  return {
    ...change,
    reason: `changed by hand and put back${reason === 'changed in place' ? '' : `: ${reason}`}`,
  }
}

/** That it is this very server which goes stands in the change: who asks twice does not lose its successor. */
function replaceServer(
  before: ClusterRecord,
  after: ClusterRecord | undefined,
  reason: string | undefined,
): Change[] {
  if (!after || reason === undefined) return []
  const isControlPlane = after.spec['role'] === 'control-plane'
  return [
    {
      key: recordKey(after),
      action: 'replace',
      before,
      after,
      fields: [{ path: 'id', before: before.facts?.['id'] ?? null, after: 'new' }],
      reason,
      risk: isControlPlane ? 'quorum' : 'replace',
      needs: after.needs,
    },
  ]
}

function ofKind(records: readonly ClusterRecord[], kind: string): ClusterRecord[] {
  return records.filter((record) => record.kind === kind)
}

/** Without what is created only for something else, where nothing that is created needs it. */
function withoutUnneeded(changes: readonly Change[], kinds: HetznerKindTable): Change[] {
  const needed = new Set(
    changes
      .filter(({ after, action }) => after && action !== 'update')
      .flatMap(({ needs }) => needs),
  )
  return changes.filter(
    ({ key, after }) => !after || needed.has(key) || !kindOf(after, kinds).compare.isMadeOnDemand,
  )
}

function kindOfChange({ after, before }: Change, kinds: HetznerKindTable): HetznerKind {
  const record = after ?? before
  if (!record) throw new Error('a change needs a record')
  return kindOf(record, kinds)
}

/** What goes must go before what it needs: the needs of a delete are the other way round. */
export function orderDeletes(changes: readonly Change[]): Change[] {
  const dependents = new Map<RecordKey, RecordKey[]>()
  for (const { key, before, action } of changes) {
    if (action === 'create' || action === 'update') continue
    for (const need of before?.needs ?? []) {
      dependents.set(need, [...(dependents.get(need) ?? []), key])
    }
  }
  return changes.map((change) =>
    change.action === 'delete' ? { ...change, needs: dependents.get(change.key) ?? [] } : change,
  )
}

/** What stands in one queue waits for each other. */
function oneAtATime(changes: readonly Change[], kinds: HetznerKindTable): Change[] {
  const last = new Map<string, RecordKey>()
  const chained = new Map<RecordKey, readonly RecordKey[]>()
  for (const change of [...changes].sort(byKey)) {
    const queue = kindOfChange(change, kinds).compare.queueOf(change)
    if (queue === undefined) continue
    const previous = last.get(queue)
    chained.set(change.key, previous ? [...change.needs, previous] : change.needs)
    last.set(queue, change.key)
  }
  return changes.map((change) => ({ ...change, needs: chained.get(change.key) ?? change.needs }))
}

function byKey(a: Change, b: Change): number {
  return a.key.localeCompare(b.key, 'en', { numeric: true })
}
