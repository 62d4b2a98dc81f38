import type { ClusterRecord, RecordKind } from '../plan/record.ts'
import type { HetznerClient } from './api/hetzner-client.ts'
import type { ListContext, Observation, Observed, SharedResources } from './kinds/hetzner-kind.ts'
import { type HetznerItems, type HetznerKindTable, hetznerKinds } from './kinds/hetzner-kinds.ts'
import {
  type Identifiable,
  type Ownership,
  type SortedResources,
  sortResources,
} from './own-resources.ts'

/** What a project has, by kind, sorted by whose it is. */
export interface Found {
  of<K extends keyof HetznerItems>(kind: K): SortedResources<HetznerItems[K]>
  /** All kinds that were looked for, in their order. */
  readonly kinds: readonly FoundKind[]
}

interface WantedKind {
  readonly kind: RecordKind
  readonly observation: Observation
}

interface Listed extends WantedKind {
  readonly items: readonly Identifiable[]
}

interface FoundKind extends WantedKind {
  readonly sorted: SortedResources<Identifiable>
}

/** Lists the kinds that a run looks for, all at once, and sorts them by whose everything is. Changes nothing. */
export async function findResources(
  client: HetznerClient,
  options: ListContext & Ownership & { readonly run: Observation['observedIn'] },
  kinds: HetznerKindTable,
): Promise<Found> {
  const wanted = Object.values(kinds).flatMap(({ name, observe }): WantedKind[] => {
    if (observe.observedIn === 'when-desired') return []
    const isWanted = observe.observedIn === 'each-run' || options.run === 'destroy'
    return isWanted ? [{ kind: name, observation: observe }] : []
  })
  const listed = await Promise.all(
    wanted.map(async ({ kind, observation }) => ({
      kind,
      observation,
      items: await observation.list(client, options),
    })),
  )
  return sortLists(listed, options)
}

function sortLists(lists: readonly Listed[], ownership: Ownership): Found {
  const sorted = new Map<RecordKind, FoundKind>()
  const found = foundBy((kind) => {
    const before = sorted.get(kind)
    if (before) return before
    const list = lists.find((one) => one.kind === kind)
    const now = list && { ...list, sorted: sortList(list, ownership, found) }
    if (now) sorted.set(kind, now)
    return now
  }, lists)
  return found
}

/** `look` sorts a kind when it is first asked for: whose one is may hang on those of another kind. */
function foundBy(
  foundOf: (kind: RecordKind) => FoundKind | undefined,
  kinds: readonly WantedKind[],
): Found {
  return {
    // A list has what its kind lists, which is what HetznerItems says of it.
    of: <K extends keyof HetznerItems>(kind: K) =>
      (foundOf(kind)?.sorted ?? nothing) as SortedResources<HetznerItems[K]>,
    get kinds() {
      return kinds.flatMap(({ kind }) => foundOf(kind) ?? [])
    },
  }
}

const nothing: SortedResources<never> = { all: [], own: [], aids: [], foreign: [] }

/** What the state records no id of is nobody's here: only being made by our controllers makes it ours. */
function sortList(
  { kind, observation, items }: Listed,
  ownership: Ownership,
  found: Found,
): SortedResources<Identifiable> {
  if (!observation.isRecorded) return { ...nothing, all: items, foreign: items }
  const { clusterName } = ownership
  return sortResources(kind, items, ownership, (item) =>
    observation.nameOf(item, { clusterName, found }),
  )
}

/** With what runs left behind counted among what is ours: a destroy takes it away, too. */
export function withAids({ kinds }: Found): Found {
  const joined = new Map(
    kinds.map((one) => {
      const { own, aids } = one.sorted
      const left = aids.map((item) => ({ name: item.name, item, recorded: false }))
      return [one.kind, { ...one, sorted: { ...one.sorted, own: [...own, ...left], aids: [] } }]
    }),
  )
  return foundBy((kind) => joined.get(kind), kinds)
}

/** What is ours as records, known by the names of their records. */
export function liveRecords(foundOf: Observed): ClusterRecord[] {
  return foundOf.found.kinds.flatMap(({ observation, sorted }) =>
    sorted.own.flatMap((one) => observation.live(one, foundOf) ?? []),
  )
}

/** Of what is desired and shared by clusters, that which is there. */
export function sharedRecords(
  desired: readonly ClusterRecord[],
  found: SharedResources,
  kinds: HetznerKindTable = hetznerKinds,
): ClusterRecord[] {
  return Object.values(kinds).flatMap(({ observe }) =>
    observe.observedIn === 'when-desired' ? observe.live(desired, found) : [],
  )
}
