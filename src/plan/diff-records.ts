import { jsonEquals } from '../lib/canonical-json.ts'
import { isJsonObject, type Json } from '../lib/json.ts'
import type { Action, Change, FieldChange, Risk } from './change.ts'
import { type ClusterRecord, isKnownAfter, type RecordKey, recordKey } from './record.ts'

/** What a domain knows of one kind of record: how each of its changes is made, and what it costs. */
export interface DiffRules {
  /** Risk and reason of making it. */
  create(after: ClusterRecord): { risk: Risk; reason: string }
  /** Risk and reason of removing it. */
  delete(before: ClusterRecord): { risk: Risk; reason: string }
  /** Whether these fields are changed in place or by replacing it, with what risk and for what reason. */
  update(
    before: ClusterRecord,
    after: ClusterRecord,
    fields: readonly FieldChange[],
  ): { action: 'update' | 'replace'; risk: Risk; reason: string }
}

/** By record key, the paths of fields that somebody changed by hand. */
export type ChangedByHand = ReadonlyMap<RecordKey, ReadonlySet<string>>

/**
 * The changes that lead from `live` to `desired`, for records of kinds that share these rules. Pure;
 * the order of either list does not matter to what is found. Records that are equal give nothing.
 */
export function diffRecords(
  desired: readonly ClusterRecord[],
  live: readonly ClusterRecord[],
  rules: DiffRules,
  byHand: ChangedByHand = new Map(),
): Change[] {
  const liveByKey = new Map(live.map((record) => [recordKey(record), record]))
  const desiredKeys = new Set(desired.map(recordKey))
  const wanted = desired.flatMap((after) => {
    const before = liveByKey.get(recordKey(after))
    if (!before) return [toChange('create', undefined, after, [], rules.create(after))]
    const hands = byHand.get(recordKey(after))
    const fields = diffFields(before.spec, after.spec).map((field) =>
      hands?.has(field.path) ? { ...field, byHand: true } : field,
    )
    if (fields.length === 0) return []
    const { action, ...verdict } = rules.update(before, after, fields)
    return [toChange(action, before, after, fields, verdict)]
  })
  const unwanted = live
    .filter((record) => !desiredKeys.has(recordKey(record)))
    .map((before) => toChange('delete', before, undefined, [], rules.delete(before)))
  return [...wanted, ...unwanted]
}

function toChange(
  action: Action,
  before: ClusterRecord | undefined,
  after: ClusterRecord | undefined,
  fields: readonly FieldChange[],
  { risk, reason }: { risk: Risk; reason: string },
): Change {
  const record = after ?? before
  if (!record) throw new Error('a change needs a record')
  return {
    key: recordKey(record),
    action,
    before,
    after,
    fields,
    reason,
    risk,
    needs: record.needs,
  }
}

/**
 * The fields in which two values differ, objects compared key by key and everything else whole. A
 * desired value that is known only after another change equals anything.
 */
export function diffFields(
  before: Json | undefined,
  after: Json | undefined,
  path = '',
): FieldChange[] {
  if (isKnownAfter(after) && before !== undefined) return []
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    return keys.flatMap((key) =>
      diffFields(before[key], after[key], path === '' ? key : `${path}.${key}`),
    )
  }
  if (before === undefined || after === undefined) {
    return before === after ? [] : [{ path, before, after }]
  }
  return jsonEquals(before, after) ? [] : [{ path, before, after }]
}
