import type { Inventory, InventoryNode } from '../plan/inventory.ts'
import type { RecordKey } from '../plan/record.ts'

/** What the state remembers of a cluster's resources at Hetzner. */
export interface KnownResources {
  /** By record key; null for one that was about to be created. */
  readonly ids: ReadonlyMap<RecordKey, number | null>
  /** By the name of their record: also nodes whose servers are yet to be created. */
  readonly nodes: ReadonlyMap<string, Pick<InventoryNode, 'role' | 'pool' | 'slot'>>
  /**
   * Whether every kind is recorded. A state that was written before they were knows servers alone; then the
   * uid decides of the rest, until the next apply has recorded it.
   */
  readonly complete: boolean
}

export function knownResources({ nodes, resources }: Inventory): KnownResources {
  const servers = nodes.map(
    ({ name, serverId, leavingServerId }) =>
      [`server/${name}` as RecordKey, serverId ?? leavingServerId ?? null] as const,
  )
  const recorded = Object.entries(resources ?? {}).flatMap(([key, { id }]) =>
    isRecordKey(key) ? [[key, id] as const] : [],
  )
  const ids = new Map<RecordKey, number | null>(servers)
  for (const [key, id] of recorded) ids.set(key, id ?? ids.get(key) ?? null)
  return {
    ids,
    nodes: new Map(nodes.map((node) => [node.name, node])),
    complete: resources !== undefined,
  }
}

function isRecordKey(key: string): key is RecordKey {
  return key.includes('/')
}
