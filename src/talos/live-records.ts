import type { JsonObject } from '../lib/json.ts'
import type { Inventory, InventoryNode } from '../plan/inventory.ts'
import type { ClusterRecord } from '../plan/record.ts'
import { appliedKinds, type TalosKindTable, talosKinds } from './kinds/talos-kinds.ts'

export interface TalosLive {
  /** How the state branch keeps the cluster's secrets, to be compared; undefined where it holds none. */
  readonly secrets: JsonObject | undefined
  readonly inventory: Inventory | undefined
  /** Ids of the servers that exist, by node name: a node whose server is gone or another is not live. */
  readonly serverIds: ReadonlyMap<string, number>
  /**
   * Names of the nodes that the spec asks for. All others that the state remembers are live whatever
   * became of them: they may have joined unrecorded, or left a member in etcd, and are taken out.
   */
  readonly wanted: ReadonlySet<string>
}

/** What the state branch and Hetzner together tell of the nodes, as records of the same form as desired. */
export function talosLiveRecords(
  live: TalosLive,
  kinds: TalosKindTable = talosKinds,
): ClusterRecord[] {
  const { secrets, inventory, wanted } = live
  if (!inventory) return []
  const configured = new Set(configuredNodes(live))
  const isLive = (node: InventoryNode) => !wanted.has(node.name) || configured.has(node)
  const known = { inventory, secrets, nodes: inventory.nodes.filter(isLive) }
  return appliedKinds(kinds).flatMap((kind) => kind.live(known))
}

/** The nodes that have their config, on the server that got it. */
export function configuredNodes({ inventory, serverIds }: TalosLive): readonly InventoryNode[] {
  return (inventory?.nodes ?? []).filter(
    (node) => node.configDigest !== undefined && serverIds.get(node.name) === node.serverId,
  )
}
