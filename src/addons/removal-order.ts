import type { Inventory } from '../plan/inventory.ts'

/**
 * Every known addon that was applied, last installed first: those that a file brought, each before what it needed, then
 * those of the catalogue.
 *
 * @param known names in the order in which they are installed
 */
export function removalOrder(recorded: Inventory['addons'], known: readonly string[]): string[] {
  const isBrought = (name: string) => recorded[name]?.needs !== undefined
  const own = known.filter((name) => name in recorded && !isBrought(name))
  const brought = Object.keys(recorded).filter(isBrought)
  return [...dependentsFirst(brought, recorded), ...own.reverse()]
}

/** Each behind all that need it. */
function dependentsFirst(names: readonly string[], recorded: Inventory['addons']): string[] {
  const left = new Set(names)
  const sorted: string[] = []
  while (left.size > 0) {
    const free = [...left].find((name) =>
      [...left].every((other) => other === name || !(recorded[other]?.needs ?? []).includes(name)),
    )
    // A circle, which no apply writes: in any order.
    const next = free ?? [...left][0]
    if (next === undefined) break
    left.delete(next)
    sorted.push(next)
  }
  return sorted
}
