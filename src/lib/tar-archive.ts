import { createTarDecoder, createTarPacker, packTar, unpackTar } from 'modern-tar'

/** A regular file to be put into an archive: for its owner alone, and of nobody in particular. */
export interface TarFile {
  readonly path: string
  readonly content: Uint8Array
  /** When it was made, in milliseconds since 1970; then where absent, so that equal files give equal archives. */
  readonly modified?: number
}

/** Something in an archive. */
export interface TarMember {
  readonly path: string
  /** Links and devices are `other`. */
  readonly kind: 'file' | 'folder' | 'other'
  /** To be read to its end, or left, before the next member is asked for. */
  readonly content: AsyncIterable<Uint8Array>
}

/** The archive ends before it should, or is none. */
export class TarBroken extends Error {}

const block = 512

/** All of an archive. */
export function packFiles(files: readonly TarFile[]): Promise<Uint8Array> {
  return packTar(files.map((file) => ({ header: headerOf(file), body: file.content })))
}

/** An archive in pieces, as its files come. */
export async function* packEach(files: AsyncIterable<TarFile>): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker()
  const pack = async () => {
    try {
      for await (const file of files) {
        const body = controller.add(headerOf(file)).getWriter()
        await body.write(file.content)
        await body.close()
      }
      controller.finalize()
    } catch (error) {
      controller.error(error)
    }
  }
  const packed = pack()
  yield* readable
  await packed
}

function headerOf({ path, content, modified = 0 }: TarFile) {
  return { name: path, size: content.length, mode: 0o600, mtime: new Date(modified) }
}

/** The regular files of an archive that has nothing else, by path; undefined for another one, or one that was cut off. */
export async function unpackFiles(
  archive: Uint8Array,
): Promise<Map<string, Uint8Array> | undefined> {
  // Two empty blocks end an archive: one that was cut off between two files reads like a complete one.
  const end = archive.subarray(-2 * block)
  if (end.length < 2 * block || end.some((byte) => byte !== 0)) return undefined
  try {
    const members = await unpackTar(archive, { strict: true })
    const files = members.flatMap(({ header, data }) =>
      header.type === 'file' && data ? [[header.name, data] as const] : [],
    )
    return files.length > 0 && files.length === members.length ? new Map(files) : undefined
  } catch {
    return undefined
  }
}

/** One regular file of an archive, by its exact path; undefined where it is not in it, or the archive is broken. */
export async function fileInArchive(
  archive: Uint8Array,
  path: string,
): Promise<Uint8Array | undefined> {
  const filter = ({ name, type }: { name: string; type?: string }) =>
    type === 'file' && name === path
  const found = await unpackTar(archive, { strict: true, filter }).catch(() => [])
  return found[0]?.data
}

/** What is in an archive, in order, as it comes. Throws TarBroken. */
export async function* tarMembers(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<TarMember> {
  const source = ReadableStream.from(counted(pieces))
  try {
    for await (const { header, body } of source.pipeThrough(createTarDecoder({ strict: true }))) {
      const kind = kinds.get(header.type ?? 'file') ?? 'other'
      yield { path: header.name, kind, content: contentOf(body) }
      if (!body.locked) await body.cancel()
    }
  } catch (error) {
    throw explained(error)
  }
}

async function* contentOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw explained(error)
  }
}

/** Failures of the library have no code; those of the source, which are not the archive's, have one. */
function explained(error: unknown): unknown {
  return error instanceof Error && !('code' in error) ? new TarBroken(error.message) : error
}

/** Fails for what ends before any archive could. */
async function* counted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of pieces) {
    size += piece.length
    yield piece
  }
  if (size < 2 * block) throw new TarBroken('it is no tar archive')
}

const kinds: ReadonlyMap<string, TarMember['kind']> = new Map([
  ['file', 'file'],
  ['directory', 'folder'],
])
