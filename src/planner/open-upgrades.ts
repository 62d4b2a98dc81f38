import { type JournalEntry, lastFact } from '../store/files/journal.ts'

/**
 * The nodes whose upgrade a run began and none has ended, by name, each with the version as it was noted. The journal has
 * it from before the node was cordoned. Pure.
 */
export function openUpgrades(
  journal: readonly JournalEntry[],
  names: readonly string[],
): Map<string, string> {
  return new Map(
    names.flatMap((name) => {
      const begun = lastFact(journal, 'upgrade-started', name)
      const ended = lastFact(journal, 'upgrade-finished', name)
      const isOpen = begun && (!ended || journal.lastIndexOf(ended) < journal.lastIndexOf(begun))
      if (!isOpen) return []
      return [[name, begun.detail?.['version'] ?? 'another version'] as const]
    }),
  )
}
