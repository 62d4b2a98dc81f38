import type { KubernetesObject } from '../lib/kubernetes-object.ts'

/** Kinds in the order in which they are applied; what is not named comes after `others`. */
const ranks: readonly (readonly string[])[] = [
  ['Namespace'],
  ['CustomResourceDefinition'],
  ['PriorityClass', 'RuntimeClass', 'ResourceQuota', 'LimitRange', 'NetworkPolicy'],
  ['ServiceAccount', 'Secret', 'ConfigMap'],
  ['StorageClass', 'VolumeSnapshotClass', 'CSIDriver', 'PersistentVolume', 'PersistentVolumeClaim'],
  ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  ['Service', 'PodDisruptionBudget'],
  ['DaemonSet', 'Deployment', 'StatefulSet', 'ReplicaSet', 'Pod', 'Job', 'CronJob'],
  [],
  // Last: they decide over every object that comes after them, and need their workload first.
  ['APIService', 'ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
]
const others = ranks.findIndex((kinds) => kinds.length === 0)

function rankOf(kind: string): number {
  const rank = ranks.findIndex((kinds) => kinds.includes(kind))
  return rank === -1 ? others : rank
}

/** Objects in groups, to be applied one group after another; within a group the order does not matter. */
export function inApplyOrder<T extends Pick<KubernetesObject, 'kind'>>(
  objects: readonly T[],
): T[][] {
  return ranks
    .map((_, rank) => objects.filter((object) => rankOf(object.kind) === rank))
    .filter((group) => group.length > 0)
}

/** Kinds that are never removed because a set no longer has them: with them goes what others keep there. */
const precious = new Set([
  'Namespace',
  'CustomResourceDefinition',
  'PersistentVolume',
  'PersistentVolumeClaim',
])

export function isPrecious(kind: string): boolean {
  return precious.has(kind)
}
