import type { Change, FieldChange } from '../plan/change.ts'
import { type DiffRules, diffRecords } from '../plan/diff-records.ts'
import { type ClusterRecord, recordKey } from '../plan/record.ts'
import { describeSecretsUpdate } from './secrets-record.ts'

/** Fields of a node that only an upgrade changes. */
const versionFields = new Set(['talosVersion', 'schematic'])

/**
 * The changes on secrets, nodes and etcd. A node of a running cluster that is added or leaves says what it means for etcd.
 * `lost` are nodes that the state remembers and whose servers are gone, or go: they are recreated, and a
 * control plane among them takes the place of its own former member.
 */
export function diffTalos(
  desired: readonly ClusterRecord[],
  live: readonly ClusterRecord[],
  lost: readonly ClusterRecord[] = [],
): Change[] {
  const running = live.some((record) => record.kind === 'etcd')
  const former = new Map(lost.map((record) => [recordKey(record), record]))
  return diffRecords(desired, live, rules(running)).map((change) => {
    const before = former.get(change.key)
    if (!before || change.action !== 'create' || change.risk !== 'quorum') return change
    const reason = 'its former member leaves etcd, and a new one joins'
    return { ...change, action: 'replace', before, reason }
  })
}

/** Whether a change rolls a node to another version: the work of the upgrade button. */
export function isUpgrade(change: Change): boolean {
  return (
    change.action === 'update' &&
    change.after?.kind === 'node' &&
    change.fields.some(({ path }) => versionFields.has(path))
  )
}

function rules(running: boolean): DiffRules {
  return {
    create: (after) => describeCreate(after, running),
    delete: (before) => describeDelete(before, running),
    update: (_before, after, fields) => ({
      action: 'update',
      ...(after.kind === 'secrets' ? describeSecretsUpdate(fields) : describeUpdate(fields)),
    }),
  }
}

function describeCreate(after: ClusterRecord, running: boolean): ReturnType<DiffRules['create']> {
  if (after.kind === 'secrets') return { risk: 'additive', reason: 'the cluster has none yet' }
  if (after.kind === 'etcd')
    return { risk: 'additive', reason: 'the cluster was never bootstrapped' }
  if (running && after.spec['role'] === 'control-plane') {
    return { risk: 'quorum', reason: 'it joins as a member of etcd' }
  }
  return { risk: 'additive', reason: 'it gets its machine config and joins' }
}

function describeDelete(before: ClusterRecord, running: boolean): ReturnType<DiffRules['delete']> {
  if (before.kind !== 'node') return { risk: 'data-loss', reason: 'the cluster goes' }
  if (!running) return { risk: 'live', reason: 'the spec no longer asks for it' }
  return before.spec['role'] === 'control-plane'
    ? { risk: 'quorum', reason: 'it leaves etcd and the cluster' }
    : { risk: 'drain', reason: 'it is drained and leaves the cluster' }
}

function describeUpdate(
  fields: readonly FieldChange[],
): Omit<ReturnType<DiffRules['update']>, 'action'> {
  const version = fields.find(({ path }) => path === 'talosVersion')
  if (version) {
    return { risk: 'drain', reason: 'it is drained and reboots into another Talos version' }
  }
  if (fields.some(({ path }) => path === 'schematic')) {
    return { risk: 'drain', reason: 'it is drained and reboots into another image' }
  }
  if (fields.every(({ path }) => path === 'contract')) {
    return { risk: 'live', reason: 'its machine config is the same in both contracts' }
  }
  return {
    risk: 'reboot',
    reason: 'its machine config changes; Talos reboots where a field needs it',
  }
}
