import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ClusterError } from '../lib/cluster-error.ts'
import { fileFailure } from '../lib/file-failure.ts'

/**
 * Writes a snapshot whole or not at all, readable by its owner alone, and never over something that is
 * there. Throws `disk-full`, `file-unwritable`, and what the chunks throw.
 */
export async function writeSnapshotFile(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  const beside = `${path}.${randomUUID()}.tmp`
  await attempt(path, () => mkdir(dirname(path), { recursive: true }))
  const file = await attempt(path, () => open(beside, 'wx', 0o600))
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      await attempt(path, () => file.writeFile(chunk))
    }
    await attempt(path, () => file.sync())
    await file.close()
    await place(beside, path)
    return size
  } finally {
    await file.close().catch(() => undefined)
    await rm(beside, { force: true }).catch(() => undefined)
  }
}

/** The bytes of a snapshot. Throws `snapshot-missing`. */
export async function* readSnapshotFile(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* createReadStream(path, { highWaterMark: 1 << 20 })
  } catch (error) {
    throw new ClusterError('snapshot-missing', 'the snapshot cannot be read', {
      target: path,
      hint: 'Check the path; nothing was changed.',
      cause: error,
    })
  }
}

/** Unlike a rename, a link does not take the place of what is there; not every file system has links. */
async function place(beside: string, path: string): Promise<void> {
  try {
    await link(beside, path)
  } catch (error) {
    if (await exists(path)) throw alreadyThere(path)
    if (!hasNoLinks.some((code) => isCode(error, code))) throw fileFailure(error, path)
    await attempt(path, () => rename(beside, path))
  }
}

const hasNoLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

function alreadyThere(path: string): ClusterError {
  return new ClusterError('file-unwritable', 'there is something already, and it is not replaced', {
    operation: 'write',
    target: path,
    hint: 'Choose another name, or one that ends in / to have one made.',
  })
}

async function attempt<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw fileFailure(error, path)
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
