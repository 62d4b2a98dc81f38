import type { Change } from '../plan/change.ts'
import type { ClusterNode } from '../plan/cluster-node.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { type TalosKindTable, talosKinds } from './kinds/talos-kinds.ts'
import type { WantedImage } from './pull-images.ts'

/** The images that a node needs for these changes of an upgrade, and the store in which it needs each. Pure. */
export function upgradeImages(
  spec: ClusterSpec,
  node: ClusterNode,
  changes: readonly Change[],
  kinds: TalosKindTable = talosKinds,
): WantedImage[] {
  const planned = new Set(changes.map(({ key }) => key))
  return Object.values(kinds).flatMap(
    ({ upgrade }) => upgrade?.images({ spec, node, planned }) ?? [],
  )
}
