import type { SnapshotFacts } from './etcd-snapshot.ts'
import type { SnapshotMetadata } from './snapshot-metadata.ts'

/** A snapshot of this very cluster that was read to its end and found whole. */
export interface VerifiedSnapshot extends SnapshotFacts {
  /** Undefined for a plain one, which says nothing of itself. */
  readonly metadata: SnapshotMetadata | undefined
  /** The plain snapshot, decrypted as it is read and checked once more; may be called again. */
  read(): AsyncIterable<Uint8Array>
}
