import { jsonEquals } from '../lib/canonical-json.ts'
import type { Json, JsonObject } from '../lib/json.ts'
import type { Change } from './change.ts'
import type { Inventory, InventoryImage, InventoryResource } from './inventory.ts'
import { type ClusterRecord, kindTraits, type RecordKey, recordKey } from './record.ts'

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
  const ids = new Map(
    live.flatMap((record) => {
      const id = kindTraits[record.kind].hasId ? idOf(record) : undefined
      return id === undefined ? [] : [[recordKey(record), id] as const]
    }),
  )
  const adopted = [...ids]
    .filter(([key]) => typeof known[key]?.id !== 'number')
    .map(([key, id]) => [key, { ...known[key], id }] as const)
  const all: Record<string, InventoryResource> = { ...known, ...Object.fromEntries(adopted) }
  const claims = changes.flatMap(({ key, action, after }): [string, InventoryResource][] => {
    if (!after || !kindTraits[after.kind].hasId) return []
    if (action === 'create' && !ids.has(key)) return [[key, { id: null }]]
    const replaced = action === 'replace' ? all[key] : undefined
    return replaced ? [[key, { ...replaced, isReplaced: true }]] : []
  })
  const resources = { ...all, ...Object.fromEntries(claims) }
  return inventory.resources && jsonEquals(toJson(resources), toJson(inventory.resources))
    ? inventory
    : { ...inventory, resources }
}

function toJson(resources: Readonly<Record<string, InventoryResource>>): Json {
  return Object.entries(resources)
    .map(([key, { id, spec, isReplaced }]): Json => [key, id, spec ?? null, isReplaced ?? false])
    .sort((a, b) => (String(a) < String(b) ? -1 : 1))
}

/** Records what a change has brought about: the resource with its id, or that it is gone. Pure. */
export function recordResource(inventory: Inventory, change: Change, id: number | undefined) {
  const { key, after } = change
  const record = after ?? change.before
  if (!record || !kindTraits[record.kind].hasId) return inventory
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
    if (id === undefined || spec === undefined || !kindTraits[record.kind].hasId) return []
    return [[recordKey(record), toResource(id, spec)]]
  })
  return { ...inventory, resources: Object.fromEntries(resources) }
}

/** Binds an image to the snapshot that it was built into, or forgets one that is gone. Pure. */
export function recordImage(
  inventory: Inventory,
  key: RecordKey,
  image: InventoryImage | undefined,
): Inventory {
  const others = Object.entries(inventory.images ?? {}).filter(([other]) => other !== key)
  return { ...inventory, images: Object.fromEntries(image ? [...others, [key, image]] : others) }
}

/** The image of a server is known only once it was built, and never compared. */
function toResource(id: number, { image: _, ...spec }: JsonObject): InventoryResource {
  return { id, spec }
}

function idOf({ facts }: ClusterRecord): number | undefined {
  const id = facts?.['id']
  return typeof id === 'number' ? id : undefined
}
