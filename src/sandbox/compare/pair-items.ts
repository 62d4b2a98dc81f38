import { isJsonObject, type Json } from '../../lib/json.ts'

export type Pair = readonly [recorded: Json, here: Json]

export interface PairedItems {
  /** Elements that are the same thing, by an id, a name or all that they hold; in the recording's order. */
  readonly known: readonly Pair[]
  /** With those that only their place in lists of the same length tells. */
  readonly all: readonly Pair[]
}

interface KnownIds {
  numberHere(kind: string, id: number): number | undefined
}

/** Finds the elements of two lists that are the same thing. */
export function pairItems(
  recorded: readonly Json[],
  here: readonly Json[],
  ids: KnownIds,
  kind: string,
): PairedItems {
  const left = [...here]
  const known: Pair[] = []
  const rest: Json[] = []
  for (const item of recorded) {
    const index = left.findIndex((other) => isSame(item, other, ids, kind))
    const [other] = index < 0 ? [] : left.splice(index, 1)
    if (other === undefined) rest.push(item)
    else known.push([item, other])
  }
  const isEven = rest.length === left.length && !rest.some(hasName)
  const placed = isEven ? rest.flatMap((item, index) => pairOf(item, left[index])) : []
  return { known, all: [...known, ...placed] }
}

function pairOf(recorded: Json, here: Json | undefined): Pair[] {
  return here === undefined ? [] : [[recorded, here]]
}

function isSame(recorded: Json, here: Json, ids: KnownIds, kind: string): boolean {
  if (!isJsonObject(recorded) || !isJsonObject(here)) {
    const mapped = typeof recorded === 'number' ? ids.numberHere(kind, recorded) : undefined
    return (mapped ?? recorded) === here
  }
  const { id, name, command } = recorded
  const mapped = typeof id === 'number' ? ids.numberHere(kind, id) : undefined
  if (mapped !== undefined) return mapped === here['id']
  if (typeof name === 'string') return name === here['name']
  if (typeof command === 'string') return command === here['command']
  return JSON.stringify(recorded) === JSON.stringify(here)
}

function hasName(item: Json): boolean {
  return isJsonObject(item) && typeof item['name'] === 'string'
}
