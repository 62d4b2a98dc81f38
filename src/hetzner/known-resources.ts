import type { Inventory, InventoryImage, InventoryNode } from '../plan/inventory.ts'
import type { RecordKey } from '../plan/record.ts'
import type { LentNetwork } from './lent-network.ts'

/** What the state remembers of a cluster's resources at Hetzner. */
export interface KnownResources {
  /** By record key. */
  readonly ids: ReadonlyMap<RecordKey, number>
  /** Keys of what was about to be created: one of that name with our uid may be there without a recorded id. */
  readonly claimed: ReadonlySet<RecordKey>
  /** The network that was lent to the cluster. */
  readonly lentNetwork?: LentNetwork | undefined
  /** By the name of their record: also nodes whose servers are yet to be created. */
  readonly nodes: ReadonlyMap<string, Pick<InventoryNode, 'role' | 'pool' | 'slot'>>
  /** Snapshots by record key. */
  readonly images: ReadonlyMap<string, InventoryImage>
  /**
   * Whether every kind is recorded. A state that was written before they were knows servers alone; then the
   * uid decides of the rest, until the next apply has recorded it.
   */
  readonly complete: boolean
}

export function knownResources({
  nodes,
  resources,
  images = {},
  lentNetwork,
}: Inventory): KnownResources {
  const servers = nodes.map(
    ({ name, serverId, leavingServerId }) =>
      [`server/${name}` as RecordKey, serverId ?? leavingServerId ?? null] as const,
  )
  const recorded = Object.entries(resources ?? {}).flatMap(([key, { id }]) =>
    isRecordKey(key) ? [[key, id] as const] : [],
  )
  const all = new Map<RecordKey, number | null>(servers)
  // A claim says that the server of before is gone, although its node still remembers it.
  for (const [key, id] of recorded) all.set(key, id)
  const isClaimed = ([key, id]: readonly [RecordKey, number | null]) =>
    id === null || resources?.[key]?.isReplaced === true
  return {
    ids: new Map([...all].flatMap(([key, id]) => (id === null ? [] : [[key, id] as const]))),
    claimed: new Set([...all].filter(isClaimed).map(([key]) => key)),
    lentNetwork,
    nodes: new Map(nodes.map((node) => [node.name, node])),
    images: new Map(Object.entries(images)),
    complete: resources !== undefined,
  }
}

function isRecordKey(key: string): key is RecordKey {
  return key.includes('/')
}
