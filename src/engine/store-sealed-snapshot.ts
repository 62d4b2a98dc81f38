import { checkedSnapshot, type SnapshotFacts } from '../backup/etcd-snapshot.ts'
import { type SealOptions, sealSnapshot } from '../backup/sealed-snapshot.ts'
import type { SnapshotPlace } from '../backup/snapshot-place.ts'
import type { RunContext } from '../run/run-context.ts'
import { storeSnapshot } from '../run/snapshot-storage.ts'

export interface SealedInput {
  /** The snapshot, with etcd's hash at its end. */
  readonly plain: AsyncIterable<Uint8Array>
  readonly place: SnapshotPlace
  readonly seal: SealOptions
}

/**
 * Seals a snapshot as it passes, and puts it at its place: no byte of it is ever on a disk in the clear here, and
 * nothing is there unless all of it is. Throws `snapshot-damaged`, and what reading and storing it throw.
 */
export async function storeSealedSnapshot(
  context: RunContext,
  { plain, place, seal }: SealedInput,
): Promise<SnapshotFacts & { readonly stored: number }> {
  let facts: SnapshotFacts | undefined
  const checked = checkedSnapshot(plain, (complete) => {
    facts = complete
  })
  const stored = await storeSnapshot(context, place, sealSnapshot(checked, seal))
  if (!facts) throw new Error('a snapshot was stored that was not seen to its end')
  return { ...facts, stored }
}
