import { readFile } from 'node:fs/promises'
import { fileFailure } from '../../../lib/file-failure.ts'

/** The identity that was prepared, where there is one. */
export function readNewIdentity(path: string): Promise<string | undefined> {
  return readIfThere(path)
}

/** The text of a file; undefined where there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw fileFailure(error, path)
  }
}
