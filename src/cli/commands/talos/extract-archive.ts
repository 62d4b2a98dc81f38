import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { brokenArchive, readArchive } from '../../../commands/talos/read-archive.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import { fileFailure } from '../../../lib/file-failure.ts'
import type { TarMember } from '../../../lib/tar-archive.ts'

/** What was made of an archive. */
export interface Extracted {
  readonly files: number
  readonly bytes: number
  /** Links and devices, which are not made: they could lead out of the folder. */
  readonly leftOut: readonly string[]
}

const hint =
  'Write the archive as it is with --out to look at it. What came before is in the folder.'

/**
 * Puts the files of a node's archive, a tar.gz, into a folder that is new or empty, so that nothing there is written over or
 * leads out of it; its owner alone may read them. Throws `usage` where the folder has something in it, `talos-refused`
 * for an archive that is broken, or that names a place outside of the folder or the same one twice.
 */
export async function extractArchive(
  pieces: AsyncIterable<Uint8Array>,
  folder: string,
): Promise<Extracted> {
  await makeFolder(folder)
  return readArchive(pieces, (members) => extractMembers(members, folder), hint)
}

async function extractMembers(
  members: AsyncIterable<TarMember>,
  folder: string,
): Promise<Extracted> {
  const extracted = { files: 0, bytes: 0, leftOut: [] as string[] }
  for await (const member of members) {
    const path = placeOf(member.path)
    if (member.kind === 'other') extracted.leftOut.push(path)
    else if (member.kind === 'folder') await onDisk(path, () => makePrivate(join(folder, path)))
    else {
      extracted.bytes += await writeMember(member, join(folder, path))
      extracted.files += 1
    }
  }
  return extracted
}

async function makeFolder(folder: string): Promise<void> {
  await onDisk(folder, () => makePrivate(folder))
  const [first] = await onDisk(folder, () => readdir(folder))
  if (first === undefined) return
  throw new ClusterError('usage', `${folder} is not empty`, {
    hint: 'Name a folder that is new or empty, or write the archive as it is with --out.',
  })
}

async function writeMember({ content }: TarMember, path: string): Promise<number> {
  await onDisk(path, () => makePrivate(dirname(path)))
  // Never through what is there already.
  await using file = await onDisk(path, () => open(path, 'wx', 0o600))
  let written = 0
  for await (const piece of content) {
    await onDisk(path, () => file.writeFile(piece))
    written += piece.length
  }
  return written
}

/** Throws for what is not below the folder. */
function placeOf(path: string): string {
  const parts = path.split('/')
  if (path !== '' && !posix.isAbsolute(path) && !parts.includes('..') && !/[\0\\]/.test(path)) {
    return posix.normalize(path)
  }
  throw brokenArchive(`names ${JSON.stringify(path)}, which is outside of it`, { hint })
}

function makePrivate(path: string): Promise<unknown> {
  return mkdir(path, { recursive: true, mode: 0o700 })
}

async function onDisk<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw fileFailure(error, path)
  }
}
