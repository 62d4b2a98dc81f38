import type { Inventory } from '../plan/inventory.ts'
import type { ClusterRecord } from '../plan/record.ts'
import type { AddonTraits } from './addon.ts'
import { addonNamed, catalogue } from './catalogue.ts'

/**
 * The addons that were applied last, as the state branch remembers them: a plan can tell without a key
 * or a cluster. What drifted since then, only the cluster can tell.
 */
export function observeAddons(
  inventory: Inventory,
  addons: Readonly<Record<string, AddonTraits>> = catalogue,
): ClusterRecord[] {
  return Object.entries(inventory.addons).map(([name, { version, digest, needs, begun }]) => ({
    kind: 'addon',
    name,
    spec: { version, digest },
    ...(begun && { facts: { begun: begun.digest } }),
    needs: [
      `etcd/${inventory.clusterName}`,
      ...(needs ?? addonNamed(name, addons)?.needs ?? [])
        .filter((needed) => needed in inventory.addons)
        .map((needed) => `addon/${needed}` as const),
    ],
  }))
}
