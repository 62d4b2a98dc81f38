import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How long an artefact is kept after its last use, in milliseconds: 30 days. */
const keptMs = 30 * 24 * 60 * 60 * 1_000

/** What lies in the cache and is no artefact. */
const others = ['images', 'lock', 'unfinished']

/**
 * Removes what no run has used for a month as of `now`, and the blobs of images that are gone with it.
 * Only for who holds the lock of the cache.
 */
export async function forgetUnused(cache: string, now: number): Promise<void> {
  for (const name of await readdir(cache)) {
    if (others.includes(name)) continue
    const path = join(cache, name)
    const { mtimeMs } = await stat(path)
    if (now - mtimeMs > keptMs) await rm(path, { recursive: true, force: true })
  }
  const blobs = join(cache, 'images', 'blobs', 'sha256')
  for (const name of await readdir(blobs).catch(() => [])) {
    const path = join(blobs, name)
    // The other name of the file was in the image's own folder.
    const { nlink } = await stat(path)
    if (nlink === 1) await rm(path)
  }
}
