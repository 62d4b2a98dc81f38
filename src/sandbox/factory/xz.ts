import { crc32 } from 'node:zlib'

/**
 * The .xz format with one block of LZMA2 chunks that are stored as they are: nothing here is compressed,
 * and every decoder reads it. Layout and field sizes from the format's specification, version 1.2.1.
 */
const magic = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])
const footerMagic = Buffer.from('YZ')
/** CRC32 as the check of the content. */
const flags = Buffer.from([0x00, 0x01])
/** One filter: LZMA2, one byte of properties, a dictionary of 64 KiB; padded to a multiple of four. */
const blockHeader = sealed(Buffer.from([0x02, 0x00, 0x21, 0x01, 0x08, 0x00, 0x00, 0x00]))
const chunkBytes = 65_536
const checkBytes = 4

export function writeXz(content: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; at < content.length; at += chunkBytes) {
    const part = content.subarray(at, at + chunkBytes)
    const head = Buffer.alloc(3)
    // The first chunk resets the dictionary.
    head[0] = at === 0 ? 1 : 2
    head.writeUInt16BE(part.length - 1, 1)
    chunks.push(head, part)
  }
  const data = Buffer.concat([...chunks, Buffer.from([0])])
  const unpadded = blockHeader.length + data.length + checkBytes
  const index = sealed(
    padded(Buffer.concat([Buffer.from([0, 1]), varint(unpadded), varint(content.length)])),
  )
  const backward = Buffer.alloc(4)
  backward.writeUInt32LE(index.length / 4 - 1)
  const footer = Buffer.concat([backward, flags])
  return Buffer.concat([
    magic,
    flags,
    checksum(flags),
    blockHeader,
    padded(data),
    checksum(content),
    index,
    checksum(footer),
    footer,
    footerMagic,
  ])
}

/** What `writeXz` packed; undefined where a byte is missing or wrong. */
export function readXz(bytes: Buffer): Buffer | undefined {
  const start = magic.length + flags.length + 4 + blockHeader.length
  if (!bytes.subarray(0, magic.length).equals(magic)) return undefined
  const parts: Buffer[] = []
  for (let at = start; bytes[at] === 1 || bytes[at] === 2; ) {
    if (at + 3 > bytes.length) return undefined
    const size = bytes.readUInt16BE(at + 1) + 1
    parts.push(bytes.subarray(at + 3, at + 3 + size))
    at += 3 + size
  }
  const content = Buffer.concat(parts)
  return writeXz(content).equals(bytes) ? content : undefined
}

function sealed(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, checksum(bytes)])
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(bytes))
  return sum
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80)
  return Buffer.from([...bytes, left])
}
