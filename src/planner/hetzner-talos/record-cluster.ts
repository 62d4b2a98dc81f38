import type { Inventory } from '../../plan/inventory.ts'
import { recordLive } from '../../plan/inventory-resources.ts'
import { contractName } from '../../talos/config/version-contract.ts'
import type { ClusterView } from './cluster-view.ts'
import { compareCluster } from './compare-cluster.ts'

/** The inventory with the id of everything that is there, what the file asks of it, and the contract that all configs have. */
export function recordCluster(inventory: Inventory, view: ClusterView): Inventory {
  const recorded = recordLive(inventory, view.hetzner.records, compareCluster(view).desired)
  return { ...recordLentNetwork(recorded, view), contract: contractName(view.spec) }
}

/** The inventory with the id of the network that is lent to the cluster; what was recorded once stays. */
export function recordLentNetwork(
  inventory: Inventory,
  { spec, hetzner: { existingNetwork } }: Pick<ClusterView, 'spec' | 'hetzner'>,
): Inventory {
  const { network: name } = spec.hetzner
  if (name === undefined || !existingNetwork || inventory.lentNetwork?.name === name) {
    return inventory
  }
  return { ...inventory, lentNetwork: { id: existingNetwork.id, name } }
}
