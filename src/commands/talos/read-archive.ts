import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ClusterError, type ClusterErrorContext } from '../../lib/cluster-error.ts'
import { TarBroken, type TarMember, tarMembers } from '../../lib/tar-archive.ts'

/**
 * Reads what a node copies, a tar.gz, as it comes. Throws `talos-refused` with the hint for an archive that is broken, and
 * what `use` throws.
 */
export async function readArchive<T>(
  pieces: AsyncIterable<Uint8Array>,
  use: (members: AsyncIterable<TarMember>) => Promise<T>,
  hint?: string,
): Promise<T> {
  try {
    return await pipeline(pieces, createGunzip(), (tar: AsyncIterable<Uint8Array>) =>
      use(tarMembers(tar)),
    )
  } catch (error) {
    if (!(error instanceof TarBroken || isOfZlib(error))) throw error
    throw brokenArchive(`cannot be read: ${error.message}`, { hint, cause: error })
  }
}

/** `talos-refused`, for what is wrong with the archive of a node. */
export function brokenArchive(
  what: string,
  { hint, cause }: { readonly hint: string | undefined; readonly cause?: unknown },
): ClusterError {
  const context: ClusterErrorContext = { operation: 'copy', cause, ...(hint && { hint }) }
  return new ClusterError('talos-refused', `the node's archive ${what}`, context)
}

function isOfZlib(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}
