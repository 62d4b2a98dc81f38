/** Something in a tar archive. */
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
/** Names are never longer than this; whoever says otherwise fills no memory. */
const mostHeaderBytes = 1 << 20

/**
 * What is in a tar archive, in order, as it comes. Knows what Go writes: ustar, and pax headers for long names and
 * large sizes. Throws TarBroken.
 */
export async function* tarMembers(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<TarMember> {
  const source = new Source(pieces)
  let extended = new Map<string, string>()
  for (;;) {
    const header = await source.take(block)
    if (header.every((byte) => byte === 0)) return
    const { type, path, size } = readHeader(header, extended)
    const content = source.read(size)
    if (type === 'x') {
      if (size > mostHeaderBytes) throw new TarBroken('a name in it is too long')
      extended = paxRecords(await collected(content))
    } else {
      extended = new Map()
      // What holds for the rest of the archive, `g`, is never a name or a size.
      if (type !== 'g') yield { path, kind: kinds.get(type) ?? 'other', content }
    }
    for await (const _ of content);
    await source.take((block - (size % block)) % block)
  }
}

const kinds: ReadonlyMap<string, TarMember['kind']> = new Map([
  ['0', 'file'],
  ['\0', 'file'],
  ['5', 'folder'],
])

function readHeader(header: Uint8Array, extended: ReadonlyMap<string, string>) {
  const size = Number(extended.get('size') ?? Number.parseInt(field(header, 124, 12), 8))
  if (!(isHeader(header) && Number.isSafeInteger(size) && size >= 0)) {
    throw new TarBroken('it is no tar archive')
  }
  const [prefix, name] = [field(header, 345, 155), field(header, 0, 100)]
  const path = extended.get('path') ?? (prefix === '' ? name : `${prefix}/${name}`)
  return { type: String.fromCharCode(header[156] ?? 0), path, size }
}

function isHeader(header: Uint8Array): boolean {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  return sum === Number.parseInt(field(header, 148, 8), 8)
}

/** `30 mtime=1350244992.023960108\n`: the length counts all of the record. */
function paxRecords(bytes: Buffer): Map<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(bytes.toString('utf8', at, at + 20), 10)
    if (!(length > 0)) throw new TarBroken('a header in it cannot be read')
    const record = bytes.toString('utf8', at, at + length - 1)
    const [start, equals] = [record.indexOf(' ') + 1, record.indexOf('=')]
    records.set(record.slice(start, equals), record.slice(equals + 1))
    at += length
  }
  return records
}

function field(header: Uint8Array, start: number, length: number): string {
  const text = new TextDecoder().decode(header.subarray(start, start + length))
  return text.split('\0')[0]?.trim() ?? ''
}

async function collected(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Pieces of any size, taken by the number of bytes. */
class Source {
  readonly #pieces: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  async take(size: number): Promise<Buffer> {
    return await collected(this.read(size))
  }

  /** Can be gone on with after it was left; has nothing more to give once all was read. */
  read(size: number): AsyncIterable<Uint8Array> {
    let left = size
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      if (left === 0) return { done: true, value: undefined }
      while (this.#rest.length === 0) {
        const piece = await this.#pieces.next()
        if (piece.done) throw new TarBroken('it ends too early')
        this.#rest = piece.value
      }
      const value = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(value.length)
      left -= value.length
      return { done: false, value }
    }
    return { [Symbol.asyncIterator]: () => ({ next }) }
  }
}
