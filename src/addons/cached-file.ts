import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileFailure } from '../lib/file-failure.ts'
import { fileDigest } from './file-digest.ts'

/**
 * A file of known content at a path of a cache: what is there is used only if its SHA-256 is right,
 * else `make` supplies the bytes. Written under another name and then renamed, so that nobody ever
 * reads half of it. Throws `disk-full` and `file-unwritable`.
 */
export async function cachedFile(
  path: string,
  sha256: string,
  make: () => Promise<Uint8Array>,
  mode = 0o644,
): Promise<string> {
  if ((await fileDigest(path)) === sha256) return path
  const bytes = await make()
  const partial = `${path}.${randomUUID()}.partial`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(partial, bytes, { mode })
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw fileFailure(error, path, { operation: 'write cache' })
  }
  return path
}
