const blockSize = 512

/**
 * An archive of regular files below one folder, in the ustar format, which every `tar` unpacks. Dated at the
 * epoch and readable by their owner alone.
 */
export function packTar(folder: string, files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const entries = [...files].flatMap(([path, content]) => {
    const padding = (blockSize - (content.length % blockSize)) % blockSize
    return [header(folder, path, content.length), content, Buffer.alloc(padding)]
  })
  return Buffer.concat([...entries, Buffer.alloc(2 * blockSize)])
}

function header(folder: string, path: string, size: number): Uint8Array {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for an archive`)
  const block = Buffer.alloc(blockSize)
  block.write(path, 0, 100)
  block.write('0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write(`${'0'.repeat(11)}\0`, 136)
  // The sum is taken with blanks in its own place.
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  block.write(folder, 345, 155)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** The files of such an archive by their whole path; undefined for what is none, or was cut off. */
export function unpackTar(archive: Uint8Array): Map<string, Uint8Array> | undefined {
  const bytes = Buffer.from(archive)
  const files = new Map<string, Uint8Array>()
  let at = 0
  while (at + blockSize <= bytes.length && bytes[at] !== 0) {
    const text = (start: number, length: number) =>
      bytes.toString('utf8', at + start, at + start + length).split('\0', 1)[0] ?? ''
    const size = Number.parseInt(text(124, 12), 8)
    const start = at + blockSize
    const isFile = text(156, 1) === '0' && text(257, 6) === 'ustar'
    if (!isFile || !Number.isSafeInteger(size) || start + size > bytes.length) return undefined
    const path = [text(345, 155), text(0, 100)].filter((part) => part !== '').join('/')
    files.set(path, bytes.subarray(start, start + size))
    at = start + Math.ceil(size / blockSize) * blockSize
  }
  // Two empty blocks end an archive.
  const isWhole = at + 2 * blockSize <= bytes.length && files.size > 0
  return isWhole ? files : undefined
}
