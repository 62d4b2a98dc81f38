import { randomUUID } from 'node:crypto'
import { mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileFailure } from '../../lib/file-failure.ts'

export interface WriteFileOptions {
  /** File mode; 0600 by default, since what is written is mostly a secret. */
  readonly mode?: number
}

/**
 * Writes a file whole or not at all: beside its place first, then over it. What was there stays when it
 * fails. A link stays a link, and a device or a pipe (`/dev/stdout`) is written to, not replaced.
 * Throws `disk-full` or `file-unwritable`.
 */
export async function writePrivateFile(
  path: string,
  text: string | Uint8Array,
  { mode = 0o600 }: WriteFileOptions = {},
): Promise<void> {
  try {
    const there = await stat(path).catch(() => undefined)
    if (there && !there.isFile()) return await writeFile(path, text)
    await mkdir(dirname(path), { recursive: true })
    await replaceFile(there ? await realpath(path) : path, text, mode)
  } catch (error) {
    throw fileFailure(error, path)
  }
}

async function replaceFile(path: string, text: string | Uint8Array, mode: number): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`
  try {
    // On the disk before it takes the place of what was there; never into something that somebody put there.
    await writeFile(beside, text, { mode, flag: 'wx', flush: true })
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined)
    throw error
  }
}
