import { TarBroken } from '../../lib/tar-archive.ts'
import { readArchive } from './read-archive.ts'

/** A control group of a node, with what the kernel says of it in files. */
export interface Cgroup {
  /** Names from the root on; empty for the root. */
  readonly path: readonly string[]
  readonly files: ReadonlyMap<string, string>
}

/** No file of the kernel's is as large; a node that sends more fills no memory. */
const mostBytes = 1 << 20

/**
 * The control groups in a copy of `/sys/fs/cgroup`, a tar.gz: each before those in it, by name. Throws `talos-refused` for
 * an archive that is broken.
 */
export async function cgroupsIn(archive: AsyncIterable<Uint8Array>): Promise<Cgroup[]> {
  const groups = new Map<string, { path: string[]; files: Map<string, string> }>()
  const groupAt = (path: string[]) => {
    const key = path.join('/')
    const group = groups.get(key) ?? { path, files: new Map() }
    groups.set(key, group)
    return group
  }
  await readArchive(archive, async (members) => {
    for await (const { path, kind, content } of members) {
      const parts = path.split('/').filter((part) => part !== '' && part !== '.')
      if (kind === 'folder') groupAt(parts)
      if (kind !== 'file') continue
      groupAt(parts.slice(0, -1)).files.set(parts.at(-1) ?? '', await textOf(content))
    }
  })
  return [...groups.values()].sort((a, b) => inOrder(a.path, b.path))
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of content) {
    size += piece.length
    if (size > mostBytes) throw new TarBroken('a file in it is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function inOrder(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index])
  if (at < 0) return a.length - b.length
  const [left = '', right] = [a[at], b[at]]
  return right !== undefined && left < right ? -1 : 1
}
