import type { RecordKind } from '../../plan/record.ts'
import { etcdKind } from './etcd/etcd-kind.ts'
import { kubeletKind } from './kubelet/kubelet-kind.ts'
import { kubernetesKind } from './kubernetes/kubernetes-kind.ts'
import { nodeKind } from './node/node-kind.ts'
import { secretsKind } from './secrets/secrets-kind.ts'
import type {
  AppliedKind,
  TalosKind,
  TalosPhase,
  UpgradePhase,
  VersionedKind,
} from './talos-kind.ts'

export type TalosKindName = 'secrets' | 'node' | 'etcd' | 'kubernetes' | 'kubelet'

/** By name. What goes over all kinds takes a table, so that a test can add a kind of its own. */
export type TalosKindTable = Readonly<Record<string, TalosKind>>

/** Every kind of what Talos holds of a cluster, in the order in which people read a plan. */
export const talosKinds: Readonly<Record<TalosKindName, TalosKind>> = {
  secrets: secretsKind,
  node: nodeKind,
  etcd: etcdKind,
  kubernetes: kubernetesKind,
  kubelet: kubeletKind,
}

export function appliedKinds(kinds: TalosKindTable): AppliedKind[] {
  return Object.values(kinds).filter((kind) => kind.comparedBy === 'apply')
}

export function versionedKinds(kinds: TalosKindTable): VersionedKind[] {
  return Object.values(kinds).filter((kind) => kind.comparedBy === 'upgrade')
}

/** Names of the kinds that are changed in a phase of an apply. */
export function talosKindsOf(phase: TalosPhase, kinds: TalosKindTable = talosKinds): RecordKind[] {
  return Object.values(kinds)
    .filter((kind) => kind.phase === phase)
    .map(({ name }) => name)
}

/** Names of the kinds that are changed in a phase of an upgrade. */
export function upgradedKindsOf(phase: UpgradePhase): RecordKind[] {
  return Object.values(talosKinds)
    .filter(({ upgrade }) => upgrade?.phase === phase)
    .map(({ name }) => name)
}
