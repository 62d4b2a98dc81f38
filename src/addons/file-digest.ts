import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Lower-case hex SHA-256 of a file, read in pieces; undefined when there is no such file. */
export async function fileDigest(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), hash)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  return hash.digest('hex')
}

export function bytesDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
