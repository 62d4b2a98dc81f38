import type { JsonObject } from '../lib/json.ts'
import type { Taint } from '../spec/cluster-spec.ts'
import type { AddonSurroundings } from './addon-surroundings.ts'

/** A node selector: control planes only. */
export const controlPlaneOnly = { 'node-role.kubernetes.io/control-plane': '' } as const

export const tolerateAll = [{ operator: 'Exists' }] as const

/** What runs on control planes tolerates Kubernetes' own taint of them, and those that the file gives them. */
export function tolerateControlPlane({ taints }: AddonSurroundings): JsonObject[] {
  const own = { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }
  return [{ ...own, effect: 'NoSchedule' }, ...tolerateTaints(taints.controlPlanes)]
}

/** Tolerates these taints, whatever their values are, so that another value changes no addon. */
export function tolerateTaints(taints: readonly Taint[]): JsonObject[] {
  const known = new Map(
    taints
      .filter(({ effect }) => effect !== 'PreferNoSchedule')
      .map(({ key, effect }) => [`${key}:${effect}`, { key, operator: 'Exists', effect }]),
  )
  return [...known.values()]
}
