import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type TreeEntry, wholeTree } from './tree-entry.ts'

const blockSize = 512
/** A file without its size in the header would need an extension beyond this many bytes. */
const largestFile = 0o77777777777

/** A tree as a tar stream (ustar): the same bytes for the same tree, always. */
export async function* tarTree(entries: readonly TreeEntry[]): AsyncGenerator<Buffer> {
  for (const entry of wholeTree(entries)) yield* tarEntry(entry)
  yield Buffer.alloc(2 * blockSize)
}

async function* tarEntry(entry: TreeEntry): AsyncGenerator<Buffer> {
  switch (entry.kind) {
    case 'folder':
      yield header({ path: `${entry.path}/`, type: '5', mode: entry.mode })
      return
    case 'link':
      yield header({ path: entry.path, type: '2', mode: 0o777, to: entry.to })
      return
    case 'text': {
      const content = Buffer.from(entry.text)
      yield header({ path: entry.path, type: '0', mode: entry.mode, size: content.length })
      yield content
      yield padding(content.length)
      return
    }
    case 'copy': {
      const { size } = await stat(entry.from)
      yield header({ path: entry.path, type: '0', mode: entry.mode, size })
      for await (const chunk of createReadStream(entry.from, { highWaterMark: 1 << 20 }))
        yield chunk
      yield padding(size)
    }
  }
}

interface Header {
  readonly path: string
  /** '0' a file, '2' a symbolic link, '5' a folder. */
  readonly type: '0' | '2' | '5'
  readonly mode: number
  readonly size?: number
  readonly to?: string
}

function header({ path, type, mode, size = 0, to = '' }: Header): Buffer {
  if (Buffer.byteLength(path) > 100 || Buffer.byteLength(to) > 100 || size > largestFile) {
    throw new Error(`a tar of this simple kind cannot hold ${path}`)
  }
  const block = Buffer.alloc(blockSize)
  block.write(path, 0)
  block.write(octal(mode, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(size, 11), 124)
  block.write(octal(0, 11), 136)
  block.write(' '.repeat(8), 148)
  block.write(type, 156)
  block.write(to, 157)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)} `, 148)
  return block
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, '0')}\0`
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize)
}
