import { createHash } from 'node:crypto'
import { ClusterError } from '../lib/cluster-error.ts'

/** What identifies a snapshot, once all of it has passed. */
export interface SnapshotFacts {
  /** Bytes of the plain snapshot, its hash included. */
  readonly size: number
  /** 64 hex digits: the SHA-256 that etcd put at its end. */
  readonly digest: string
}

const hashLength = 32

/** etcd's database consists of whole pages, so a snapshot with its hash is this much longer than those. */
const pageSize = 512

/**
 * Passes an etcd snapshot through and checks at its end that it is complete: etcd puts the SHA-256 of
 * everything before it there (etcd 3.5, `Maintenance.Snapshot`; `etcdutl` and talosctl check the same).
 * The last bytes of a snapshot that is not are never passed on. Throws `snapshot-damaged`.
 */
export async function* checkedSnapshot(
  chunks: AsyncIterable<Uint8Array>,
  onComplete: (facts: SnapshotFacts) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256')
  let size = 0
  let tail: Uint8Array = new Uint8Array()
  for await (const chunk of chunks) {
    size += chunk.length
    const held = Buffer.concat([tail, chunk])
    const passed = held.subarray(0, Math.max(0, held.length - hashLength))
    tail = held.subarray(passed.length)
    if (passed.length === 0) continue
    hash.update(passed)
    yield passed
  }
  const digest = Buffer.from(tail).toString('hex')
  if (size % pageSize !== hashLength) {
    throw damaged(`it ends early, or is no etcd snapshot (${size} bytes)`)
  }
  if (hash.digest('hex') !== digest) throw damaged('its hash is not that of its content')
  onComplete({ size, digest })
  yield tail
}

/** `snapshot-damaged`: what was read is not what was once written. */
export function damaged(reason: string, cause?: unknown): ClusterError {
  return new ClusterError('snapshot-damaged', `the etcd snapshot is not whole: ${reason}`, {
    hint: 'Take another one; nothing was changed.',
    cause,
  })
}
