const blockSize = 512

/**
 * The content of one regular file of a tar archive, by its exact name; undefined when it is not in it.
 * Knows plain ustar headers, which is what Go's releases are made of.
 */
export function tarEntry(archive: Uint8Array, name: string): Uint8Array | undefined {
  let offset = 0
  while (offset + blockSize <= archive.length) {
    const header = archive.subarray(offset, offset + blockSize)
    if (header[0] === 0) return undefined
    const size = Number.parseInt(field(header, 124, 12), 8)
    const type = String.fromCharCode(header[156] ?? 0)
    const start = offset + blockSize
    if ((type === '0' || type === '\0') && field(header, 0, 100) === name) {
      return archive.subarray(start, start + size)
    }
    offset = start + Math.ceil(size / blockSize) * blockSize
  }
  return undefined
}

function field(header: Uint8Array, start: number, length: number): string {
  const text = new TextDecoder().decode(header.subarray(start, start + length))
  return text.split('\0')[0]?.trim() ?? ''
}
