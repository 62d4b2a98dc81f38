import type { Inventory } from '../plan/inventory.ts'
import type { ClusterRecord } from '../plan/record.ts'
import { addonNamed } from './catalogue.ts'

/**
 * The addons that were applied last, as the state branch remembers them: a plan can tell without a key
 * or a cluster. What drifted since then, only the cluster can tell.
 */
export function observeAddons(inventory: Inventory): ClusterRecord[] {
  return Object.entries(inventory.addons).map(([name, { version, digest }]) => ({
    kind: 'addon',
    name,
    spec: { version, digest },
    needs: [
      `etcd/${inventory.clusterName}`,
      ...(addonNamed(name)?.needs ?? [])
        .filter((needed) => needed in inventory.addons)
        .map((needed) => `addon/${needed}` as const),
    ],
  }))
}
