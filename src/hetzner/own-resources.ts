import type { InventoryNode } from '../plan/inventory.ts'
import { type RecordKey, type RecordKind, recordKey } from '../plan/record.ts'
import { isHiddenName } from './kinds/load-balancer/load-balancer-name.ts'
import type { KnownResources } from './known-resources.ts'
import { isOurs, isShortLived, type Labels } from './ownership.ts'

/** As much of any resource as it takes to tell whose it is. */
export interface Identifiable {
  readonly id: number
  readonly name: string
  readonly labels: Labels
}

/** A resource of ours, whatever it is called and labelled now. */
export interface OwnResource<T> {
  /** The name of its record, by which the plan and the state know it. */
  readonly name: string
  readonly item: T
  /** Whether the state recorded its id; else its labels prove it. */
  readonly recorded: boolean
  /** The node that a server is, as far as the state knows. */
  readonly node?: Pick<InventoryNode, 'role' | 'pool' | 'slot'> | undefined
  /** Whether the cluster's own controllers made it. */
  readonly byControllers?: boolean
}

export interface SortedResources<T> {
  /** Whosever they are. */
  readonly all: readonly T[]
  readonly own: readonly OwnResource<T>[]
  /** What runs need while they last: access firewalls, servers and keys that build images. */
  readonly aids: readonly T[]
  /** Everything else, also what carries our uid although the cluster never created it. */
  readonly foreign: readonly T[]
}

export interface Ownership {
  readonly clusterName: string
  /** Undefined where there is no state yet: then nothing is ours. */
  readonly uid: string | undefined
  /** Undefined where there is no inventory to ask, as while a lost state is recovered: then the uid decides. */
  readonly known: KnownResources | undefined
}

/**
 * Sorts the resources of one kind by whose they are: ours by the id that the state recorded; else by the uid
 * and what says which one it is (`nameOf`), where the state expects that one and knows no other. Labels can be
 * copied, and names taken by anybody: neither makes a resource ours that the state does not expect. Pure.
 */
export function sortResources<T extends Identifiable>(
  kind: RecordKind,
  items: readonly T[],
  ownership: Ownership,
  nameOf: (item: T) => string,
): SortedResources<T> {
  const { uid, known } = ownership
  const byId = new Map(items.map((item) => [item.id, item]))
  const own = new Map<string, OwnResource<T>>()
  const add = (name: string, item: T, recorded: boolean) => {
    own.set(name, { name, item, recorded, node: known?.nodes.get(name) })
    byId.delete(item.id)
  }
  for (const [key, id] of known?.ids ?? []) {
    const item = key.startsWith(`${kind}/`) ? byId.get(id) : undefined
    if (item) add(key.slice(kind.length + 1), item, true)
  }
  const marked = [...byId.values()].filter(({ labels }) => isOurs(labels, uid))
  const aids = marked.filter(({ labels }) => isShortLived(labels))
  for (const aid of aids) byId.delete(aid.id)
  const rest = marked.filter(({ id }) => byId.has(id))
  for (const [name, found] of Map.groupBy(rest, nameOf)) {
    const one = own.has(name) ? undefined : expected(recordKey({ kind, name }), name, found, known)
    if (one) add(name, one, false)
  }
  return { all: items, own: [...own.values()], aids, foreign: [...byId.values()] }
}

function expected<T extends Identifiable>(
  key: RecordKey,
  name: string,
  found: readonly T[],
  known: KnownResources | undefined,
): T | undefined {
  const expectation = expectationOf(key, known)
  if (expectation === 'none') return undefined
  const named = found.find((item) => isNamed(item, name))
  return named ?? (expectation === 'any' && found.length === 1 ? found[0] : undefined)
}

/**
 * Whether the state expects a resource that it has no living id of. One that a run created and did not come to
 * record has the name that the run gave it: whatever else carries its labels is a copy. Only a state that does
 * not record ids yet takes what was renamed.
 */
function expectationOf(
  key: RecordKey,
  known: KnownResources | undefined,
): 'any' | 'named' | 'none' {
  if (known === undefined) return 'any'
  if (known.claimed.has(key)) return 'named'
  if (known.complete) return 'none'
  if (!key.startsWith('server/')) return 'any'
  return known.ids.has(key) ? 'named' : 'none'
}

function isNamed({ name: current, labels }: Identifiable, name: string): boolean {
  return (
    current === name || (labels['component'] === 'load-balancer' && isHiddenName(current, name))
  )
}

/** Which node a server says that it is; its own name where it does not say. */
export function serverNameOf(clusterName: string) {
  return ({ name, labels }: Identifiable): string => {
    const { pool, slot } = labels
    const isNode = pool !== undefined && pool !== '' && Number(slot) > 0
    return isNode ? `${clusterName}-${pool}-${Number(slot)}` : name
  }
}
