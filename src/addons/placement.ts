import type { JsonObject } from '../lib/json.ts'
import type { ClusterSpec, NodePool } from '../spec/cluster-spec.ts'

/** Where Talos serves the Kubernetes API on every node, whatever the state of the network. */
export const kubePrism = { host: '127.0.0.1', port: 7445 } as const

/** A node selector: control planes only. */
export const controlPlaneOnly = { 'node-role.kubernetes.io/control-plane': '' } as const

export const tolerateAll = [{ operator: 'Exists' }] as const

/** What runs on control planes tolerates Kubernetes' own taint of them, and those that the file gives them. */
export function tolerateControlPlane(spec: ClusterSpec): JsonObject[] {
  const own = { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }
  return [{ ...own, effect: 'NoSchedule' }, ...tolerateTaints([spec.controlPlane])]
}

/** Tolerates the taints of these pools, whatever their values are, so that another value changes no addon. */
export function tolerateTaints(
  pools: readonly Pick<NodePool, 'taints' | 'patchedTaints'>[],
): JsonObject[] {
  const known = new Map(
    pools
      .flatMap(({ taints, patchedTaints = [] }) => [...taints, ...patchedTaints])
      .filter(({ effect }) => effect !== 'PreferNoSchedule')
      .map(({ key, effect }) => [`${key}:${effect}`, { key, operator: 'Exists', effect }]),
  )
  return [...known.values()]
}
