import type { JsonObject } from '../lib/json.ts'
import type { Change } from './change.ts'
import type { Inventory, InventoryResource } from './inventory.ts'
import { type ClusterRecord, type RecordKey, type RecordKind, recordKey } from './record.ts'

/** The kinds that have an id of their own at the cloud, which the inventory records. */
const kindsWithId: ReadonlySet<RecordKind> = new Set<RecordKind>([
  'network',
  'firewall',
  'placement-group',
  'ssh-key',
  'load-balancer',
  'server',
])

/**
 * The inventory that a run begins with: the ids of everything that was found and not recorded yet, and a claim
 * for everything that is about to be created. What carries the cluster's uid and is neither recorded nor
 * claimed was not created by it. Returns the same object where nothing is new. Pure.
 */
export function claimResources(
  inventory: Inventory,
  changes: readonly Change[],
  live: readonly ClusterRecord[],
): Inventory {
  const known = inventory.resources ?? {}
  const found = live.flatMap((record) => {
    const id = idOf(record)
    const key = recordKey(record)
    const isNew = id !== undefined && (known[key]?.id ?? undefined) === undefined
    return isNew && kindsWithId.has(record.kind) ? [[key, { ...known[key], id }] as const] : []
  })
  const adopted = { ...known, ...Object.fromEntries(found) }
  const claims = changes.flatMap(({ key, action, after }) =>
    action === 'create' && after && kindsWithId.has(after.kind) && !(key in adopted)
      ? [[key, { id: null }] as const]
      : [],
  )
  if (inventory.resources && found.length === 0 && claims.length === 0) return inventory
  return { ...inventory, resources: { ...adopted, ...Object.fromEntries(claims) } }
}

/** Records what a change has brought about: the resource with its id, or that it is gone. Pure. */
export function recordResource(inventory: Inventory, change: Change, id: number | undefined) {
  const { key, after } = change
  const record = after ?? change.before
  if (!record || !kindsWithId.has(record.kind)) return inventory
  const resources = Object.entries(inventory.resources ?? {}).filter(([other]) => other !== key)
  if (after && id !== undefined) resources.push([key, toResource(id, after.spec)])
  return { ...inventory, resources: Object.fromEntries(resources) }
}

/**
 * Records all that is live, with what the file asks of it. For the end of an apply that leaves nothing to do:
 * what differs from it later was not changed by an apply. Pure.
 */
export function recordLive(
  inventory: Inventory,
  live: readonly ClusterRecord[],
  desired: readonly ClusterRecord[],
): Inventory {
  const wanted = new Map(desired.map((record) => [recordKey(record), record.spec]))
  const resources = live.flatMap((record): [RecordKey, InventoryResource][] => {
    const id = idOf(record)
    const spec = wanted.get(recordKey(record))
    if (id === undefined || spec === undefined || !kindsWithId.has(record.kind)) return []
    return [[recordKey(record), toResource(id, spec)]]
  })
  return { ...inventory, resources: Object.fromEntries(resources) }
}

/** The image of a server is known only once it was built, and never compared. */
function toResource(id: number, { image: _, ...spec }: JsonObject): InventoryResource {
  return { id, spec }
}

function idOf({ facts }: ClusterRecord): number | undefined {
  const id = facts?.['id']
  return typeof id === 'number' ? id : undefined
}
