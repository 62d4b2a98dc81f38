import type { SnapshotMetadata } from '../backup/snapshot-metadata.ts'
import type { FactName, JournalEntry } from '../store/files/journal.ts'

/** How far an etcd had come: by raft's own count, which all its members share, or by one member's file. */
export type EtcdMark = { readonly applied: string } | { readonly database: string }

const beginnings: readonly FactName[] = [
  'etcd-bootstrapped',
  'etcd-recover-started',
  'etcd-recovered',
  'state-recovered',
  'cluster-adopted',
]

/** The last time that etcd began, as the journal has it: every etcd counts from its own beginning. */
export function etcdBeginning(journal: readonly JournalEntry[]): string | undefined {
  const last = journal.findLast(({ fact }) => beginnings.includes(fact))
  return last && `${last.fact} ${last.run} ${last.attempt} ${last.at}`
}

/**
 * Whether what a control plane holds of etcd is newer than a snapshot, or may be: whatever cannot be read or compared
 * counts as newer. Pure.
 */
export function mayBeNewer(
  held: { readonly mark: EtcdMark } | { readonly isEmpty: boolean },
  metadata: SnapshotMetadata | undefined,
  journal: readonly JournalEntry[],
): boolean {
  return 'mark' in held ? !isCovered(metadata, held.mark, journal) : !held.isEmpty
}

/**
 * Whether a snapshot is known to hold all that a member has: both are of the same etcd, and the member has come no
 * further. Pure.
 */
export function isCovered(
  metadata: SnapshotMetadata | undefined,
  mark: EtcdMark,
  journal: readonly JournalEntry[],
): boolean {
  if (metadata?.beginning === undefined || metadata.beginning !== etcdBeginning(journal))
    return false
  if ('database' in mark) return metadata.database === mark.database
  return metadata.applied !== undefined && BigInt(metadata.applied) >= BigInt(mark.applied)
}
