import type { JsonObject } from '../lib/json.ts'
import type { Inventory, InventoryNode } from '../plan/inventory.ts'
import type { ClusterRecord } from '../plan/record.ts'
import { nodeContract } from './kept-contract.ts'

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
export function talosLiveRecords(live: TalosLive): ClusterRecord[] {
  const { secrets, inventory, wanted } = live
  if (!inventory) return []
  const { clusterName, nodes, bootstrapped } = inventory
  const configured = new Set(configuredNodes(live))
  const isLive = (node: InventoryNode) => !wanted.has(node.name) || configured.has(node)
  return [
    ...(secrets ? [bare('secrets', clusterName, secrets)] : []),
    ...nodes.filter(isLive).map((node) => rememberedNode(node, clusterName)),
    ...(bootstrapped ? [bare('etcd', clusterName)] : []),
  ]
}

/** A node as the state remembers it. */
export function rememberedNode(node: InventoryNode, clusterName: string): ClusterRecord {
  return {
    kind: 'node',
    name: node.name,
    spec: {
      role: node.role,
      talosVersion: node.talosVersion ?? null,
      schematic: node.schematic ?? null,
      kubernetesVersion: node.kubernetesVersion ?? null,
      configDigest: node.configDigest ?? null,
      contract: nodeContract(node) ?? null,
    },
    needs: [`server/${node.name}`, `secrets/${clusterName}`],
  }
}

/** The nodes that have their config, on the server that got it. */
export function configuredNodes({ inventory, serverIds }: TalosLive): readonly InventoryNode[] {
  return (inventory?.nodes ?? []).filter(
    (node) => node.configDigest !== undefined && serverIds.get(node.name) === node.serverId,
  )
}

function bare(kind: 'secrets' | 'etcd', name: string, spec: JsonObject = {}): ClusterRecord {
  return { kind, name, spec, needs: [] }
}
