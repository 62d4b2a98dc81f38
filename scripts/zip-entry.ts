import { type FileHandle, open } from 'node:fs/promises'
import { inflateRawSync } from 'node:zlib'

/** Lengths and signatures of the zip format (APPNOTE 4.3). */
const endLength = 22
const endSignature = 0x06054b50
const directorySignature = 0x02014b50
const localLength = 30

/**
 * The content of one file of a zip archive, by its exact name. Reads the directory at the archive's
 * end and then only that file. Throws when it is not in it. No zip64, no encryption.
 */
export async function zipEntry(archive: string, name: string): Promise<Buffer> {
  const file = await open(archive)
  try {
    const { size } = await file.stat()
    const directory = await readDirectory(file, size)
    const entry = findEntry(directory, name)
    if (!entry) throw new Error(`${archive} has no ${name}`)
    const local = await readAt(file, entry.offset, localLength)
    const start = entry.offset + localLength + local.readUInt16LE(26) + local.readUInt16LE(28)
    const packed = await readAt(file, start, entry.packedSize)
    return entry.method === 0 ? packed : inflateRawSync(packed)
  } finally {
    await file.close()
  }
}

async function readDirectory(file: FileHandle, size: number): Promise<Buffer> {
  // A comment of up to 64 KiB may follow the end record.
  const length = Math.min(size, endLength + 0xffff)
  const tail = await readAt(file, size - length, length)
  for (let at = length - endLength; at >= 0; at--) {
    if (tail.readUInt32LE(at) === endSignature) {
      return readAt(file, tail.readUInt32LE(at + 16), tail.readUInt32LE(at + 12))
    }
  }
  throw new Error('not a zip archive')
}

function findEntry(
  directory: Buffer,
  name: string,
): { method: number; packedSize: number; offset: number } | undefined {
  for (let at = 0; at < directory.length; ) {
    if (directory.readUInt32LE(at) !== directorySignature) throw new Error('not a zip directory')
    const nameLength = directory.readUInt16LE(at + 28)
    if (directory.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      return {
        method: directory.readUInt16LE(at + 10),
        packedSize: directory.readUInt32LE(at + 20),
        offset: directory.readUInt32LE(at + 42),
      }
    }
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return undefined
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  await file.read(buffer, 0, length, position)
  return buffer
}
