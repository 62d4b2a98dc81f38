import type { Finding } from '../lib/finding.ts'
import type { FactName, JournalEntry } from '../store/files/journal.ts'

/** A restore that was started and did not come to its end. */
export interface PendingRestore {
  /** One sentence. */
  readonly message: string
  /** The command that finishes it. */
  readonly command: string
}

const facts: readonly FactName[] = [
  'restore-started',
  'etcd-wipe-started',
  'etcd-recover-started',
  'etcd-recovered',
]

/** The restore that is not done, as the journal has it: each step is written down before it is made. Pure. */
export function pendingRestore(journal: readonly JournalEntry[]): PendingRestore | undefined {
  const steps = journal.filter(({ fact }) => facts.includes(fact))
  const begun = steps.slice(steps.findLastIndex(({ fact }) => fact === 'etcd-recovered') + 1)
  const last = begun.at(-1)
  if (!last) return undefined
  const has = (fact: FactName) => begun.some((entry) => entry.fact === fact)
  const place = last.detail?.['place'] ?? '<place>'
  const how = has('etcd-recover-started')
    ? 'etcd was to begin with it, and may not be complete'
    : has('etcd-wipe-started')
      ? 'data of control planes was wiped'
      : 'servers were being created for it'
  return {
    message: `a restore from ${place} was started at ${last.at} (run ${last.run}) and did not end: ${how}`,
    command: `hcloud-talos restore --snapshot ${place}`,
  }
}

/** What forbids every other change of the cluster until the restore is done. */
export function guardPendingRestore(journal: readonly JournalEntry[]): Finding[] {
  const pending = pendingRestore(journal)
  if (!pending) return []
  return [
    {
      severity: 'error',
      path: [],
      message: pending.message,
      hint: `Run \`${pending.command}\` again: it continues from where it stopped.`,
    },
  ]
}
