import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts'

/**
 * The kinds of things that a cluster is made of, in the order in which people read a plan.
 * Hetzner's come first, then what Talos and Kubernetes hold.
 */
export const recordKinds = [
  'image',
  'network',
  'firewall',
  'placement-group',
  'ssh-key',
  'load-balancer',
  'server',
  'volume',
  'secrets',
  'node',
  'etcd',
  'kubernetes',
  'kubelet',
  'addon',
] as const
export type RecordKind = (typeof recordKinds)[number]

/** The stable name of one record: `server/demo-workers-1`. Never derived from a position in a list. */
export type RecordKey = `${RecordKind}/${string}`

/**
 * One thing, desired or live: both have this type, so that a diff needs to know nothing else.
 * `spec` holds what is compared; what only an outside system decides (ids, addresses) stands in `facts`.
 */
export interface ClusterRecord {
  readonly kind: RecordKind
  readonly name: string
  readonly spec: JsonObject
  /** Keys of records that must exist before this one, and go after it. */
  readonly needs: readonly RecordKey[]
  /** Price per month in euro without tax, where it has one. */
  readonly monthlyCost?: number
  /** Live only: what acting on it takes (ids, addresses). Never compared, never part of a digest. */
  readonly facts?: JsonObject
}

export function recordKey(record: { kind: RecordKind; name: string }): RecordKey {
  return `${record.kind}/${record.name}`
}

/**
 * A value that exists only after another change was made, as it stands in a record's spec:
 * `{ knownAfter: 'load-balancer/demo' }`. Equal to whatever is live, so it never causes a change.
 */
interface KnownAfter extends JsonObject {
  readonly knownAfter: RecordKey
}

export function isKnownAfter(value: Json | undefined): value is KnownAfter {
  return isJsonObject(value) && typeof value['knownAfter'] === 'string'
}
