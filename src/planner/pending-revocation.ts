import type { JournalEntry } from '../store/files/journal.ts'

/** How far the CA of the Talos API is replaced: written down by versions that did not write down that it began. */
const steps = ['authority-accepted', 'authority-issuing', 'authority-dropped']

/**
 * Whether a revocation was started and did not come to its end, as the journal has it. It continues with the key that it
 * was started with; any other revocation takes a key that the state was never encrypted for. Pure.
 */
export function isRevocationPending(journal: readonly JournalEntry[]): boolean {
  const ended = journal.findLastIndex(({ fact }) => fact === 'revocation-finished')
  const since = journal.slice(ended + 1)
  if (since.some(({ fact }) => fact === 'revocation-started')) return true
  const last = since.findLast(({ fact }) => steps.includes(fact))
  return last !== undefined && last.fact !== 'authority-dropped'
}
