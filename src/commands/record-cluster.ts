import type { Inventory } from '../plan/inventory.ts'
import { recordLive } from '../plan/inventory-resources.ts'
import { compareCluster } from './compare-cluster.ts'
import type { ClusterView } from './observe-cluster.ts'

/** The inventory with the id of everything that is there, and what the file asks of it. */
export function recordCluster(inventory: Inventory, view: ClusterView): Inventory {
  return recordLive(inventory, view.hetzner.records, compareCluster(view).desired)
}
