import type { Inventory } from '../plan/inventory.ts'
import type { ClusterRecord } from '../plan/record.ts'

export interface TalosLive {
  /** Whether the state branch holds the cluster's secrets. */
  readonly hasSecrets: boolean
  readonly inventory: Inventory | undefined
  /** Ids of the servers that exist, by node name: a node whose server is gone or another is not live. */
  readonly serverIds: ReadonlyMap<string, number>
}

/** What the state branch and Hetzner together tell of the nodes, as records of the same form as desired. */
export function talosLiveRecords({ hasSecrets, inventory, serverIds }: TalosLive): ClusterRecord[] {
  if (!inventory) return []
  const { clusterName, nodes, bootstrapped } = inventory
  const configured = nodes.filter(
    (node) => node.configDigest !== undefined && serverIds.get(node.name) === node.serverId,
  )
  return [
    ...(hasSecrets ? [bare('secrets', clusterName)] : []),
    ...configured.map(
      (node): ClusterRecord => ({
        kind: 'node',
        name: node.name,
        spec: {
          role: node.role,
          talosVersion: node.talosVersion ?? null,
          schematic: node.schematic ?? null,
          kubernetesVersion: node.kubernetesVersion ?? null,
          configDigest: node.configDigest ?? null,
        },
        needs: [`server/${node.name}`, `secrets/${clusterName}`],
      }),
    ),
    ...(bootstrapped ? [bare('etcd', clusterName)] : []),
  ]
}

function bare(kind: 'secrets' | 'etcd', name: string): ClusterRecord {
  return { kind, name, spec: {}, needs: [] }
}
