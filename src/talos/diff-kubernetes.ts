import type { Change } from '../plan/change.ts'
import { diffRecords } from '../plan/diff-records.ts'
import type { Inventory, InventoryNode } from '../plan/inventory.ts'
import { type ClusterRecord, type RecordKind, recordKey } from '../plan/record.ts'
import { clusterKubernetes } from '../plan/running-kubernetes.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { RunningVersion } from './kinds/talos-kind.ts'
import { type TalosKindTable, talosKinds, versionedKinds } from './kinds/talos-kinds.ts'

const turns: readonly RunningVersion['turn'][] = ['control planes', 'kubelets', 'manifests']

/**
 * What differs between the Kubernetes that a cluster runs and the file's: components of the control
 * plane, the kubelet of each of these nodes, and the bootstrap manifests, in the order in which talosctl
 * upgrades them, each after the one before.
 */
export function diffKubernetes(
  spec: ClusterSpec,
  inventory: Inventory,
  nodes: readonly InventoryNode[],
  kinds: TalosKindTable = talosKinds,
): Change[] {
  const controlPlanes = nodes.filter(({ role }) => role === 'control-plane')
  const from = clusterKubernetes({ ...inventory, nodes })
  if (from === undefined) return []
  const workers = nodes.filter(({ role }) => role === 'worker')
  const cluster = { spec, inventory, nodes: [...controlPlanes, ...workers], from }
  const known = versionedKinds(kinds).flatMap((kind) =>
    kind.running(cluster).map((one) => ({ kind, ...one })),
  )
  const live = known
    .toSorted((a, b) => turns.indexOf(a.turn) - turns.indexOf(b.turn))
    .map(({ kind, name, version }) => versioned(kind.name, name, version))
  const desired = live.map(({ kind, name }) => versioned(kind, name, spec.kubernetes.version))
  const reasons = new Map(
    known.map(({ kind, name }) => [
      recordKey({ kind: kind.name, name }),
      kind.reason(name, { controlPlanes: controlPlanes.length }),
    ]),
  )
  const changes = new Map(
    diffRecords(desired, live, rules(reasons)).map((change) => [change.key, change]),
  )
  return live.flatMap((record) => changes.get(recordKey(record)) ?? [])
}

function versioned(kind: RecordKind, name: string, version: string): ClusterRecord {
  return { kind, name, spec: { version }, needs: [] }
}

function rules(reasons: ReadonlyMap<string, string>): Parameters<typeof diffRecords>[2] {
  const never = () => {
    throw new Error('versions are changed, never made or removed')
  }
  return {
    create: never,
    delete: never,
    update: (_before, after) => ({
      action: 'update',
      risk: 'live',
      reason: reasons.get(recordKey(after)) ?? '',
    }),
  }
}
