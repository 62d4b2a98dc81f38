import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileFailure } from '../../lib/file-failure.ts'

/**
 * Writes what comes into a file that its owner alone may read (0600), beside its place first: it is there
 * whole or not at all. A failure of what comes is thrown as it is; one of the disk as `disk-full` or
 * `file-unwritable`. Returns how many bytes came.
 */
export async function writePrivateStream(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<number> {
  const beside = `${path}.${randomUUID()}.tmp`
  const onDisk = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      throw fileFailure(error, path)
    }
  }
  const file = await onDisk(async () => {
    await mkdir(dirname(path), { recursive: true })
    return open(beside, 'wx', 0o600)
  })
  let written = 0
  try {
    for await (const piece of pieces) {
      await onDisk(() => file.writeFile(piece))
      written += piece.length
    }
    await onDisk(() => file.sync())
    await file.close()
    await onDisk(() => rename(beside, path))
    return written
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(beside, { force: true }).catch(() => undefined)
    throw error
  }
}
