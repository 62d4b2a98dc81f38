import { z } from 'zod'
import type { RunIdentity } from '../../lib/run-identity.ts'
import { stateCorrupt } from '../trust/state-damage.ts'
import { parseJson } from './manifest.ts'

/** The acts that cannot be seen from outside or repeated; each is written down before it is done. */
const facts = [
  'secrets-minted',
  'etcd-bootstrap-started',
  'etcd-bootstrapped',
  'upgrade-started',
  'upgrade-finished',
  'member-removed',
  'node-removal-started',
  'destroy-started',
  'restore-started',
  'etcd-wipe-started',
  'etcd-recover-started',
  'etcd-recovered',
  'state-recovered',
  'cluster-adopted',
  'keys-rotated',
  'revocation-started',
  'revocation-finished',
  'authority-accepted',
  'authority-issuing',
  'authority-dropped',
  'authorities-renewed',
  'access-minted',
  'history-compacted',
  'history-repaired',
  'state-imported',
] as const
export type FactName = (typeof facts)[number]

export interface Fact {
  readonly fact: FactName
  readonly node?: string | undefined
  /** What else resuming needs, e.g. the version upgraded to. Never a secret. */
  readonly detail?: Readonly<Record<string, string>> | undefined
}

const entrySchema = z.object({
  at: z.iso.datetime(),
  run: z.string(),
  attempt: z.number().int(),
  fact: z.enum(facts),
  node: z.string().optional(),
  detail: z.record(z.string(), z.string()).optional(),
})
const journalSchema = z.object({ format: z.literal(1), entries: z.array(entrySchema) })

/** A fact with who wrote it down, and when. */
export type JournalEntry = z.infer<typeof entrySchema>

export function journalEntry(fact: Fact, { run, attempt }: RunIdentity, now: number): JournalEntry {
  return { at: new Date(now).toISOString(), run, attempt, ...fact }
}

/** How many facts the newest generation keeps in view; the history of the branch has them all. */
const keptEntries = 200

/** The newest entry of a fact, about a node if one is named. */
export function lastFact(
  journal: readonly JournalEntry[],
  fact: FactName,
  node?: string,
): JournalEntry | undefined {
  return journal.findLast(
    (entry) => entry.fact === fact && (node === undefined || entry.node === node),
  )
}

/** The file's content: no longer than a score of busy runs makes it, whatever the cluster's age. */
export function journalJson(entries: readonly JournalEntry[]): object {
  return { format: 1, entries: entries.slice(-keptEntries) }
}

/** Reads journal.json. Throws `state-corrupt`. */
export function parseJournal(content: Uint8Array, target: string): JournalEntry[] {
  const parsed = journalSchema.safeParse(parseJson(content, target))
  if (!parsed.success) throw stateCorrupt(target, 'its journal cannot be read', parsed.error)
  return parsed.data.entries
}
