import type { KubeObject, OwnerReference } from '../model/kube-object.ts'

/** For what goes with its node: its lease, its static pods. */
export function ownedByNode({ metadata }: KubeObject): OwnerReference {
  const { name, uid = '' } = metadata
  return { apiVersion: 'v1', kind: 'Node', name, uid }
}
