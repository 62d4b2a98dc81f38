import { createHash } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { seededRandom } from '../../lib/random.ts'
import type { DiskImage } from '../machine.ts'
import { readXz, writeXz } from './xz.ts'

export type TalosImage = Extract<DiskImage, { kind: 'talos' }>

/** How the factory packs its images. */
export type Packing = 'xz' | 'zst'

const diskMagic = 'hcloud-talos sandbox disk\n'
const fillerBytes = 96 * 1024
const digestBytes = 32

/** A small disk with everything that tells one Talos image from another, sealed by a checksum. */
export function writeDisk(image: TalosImage): Buffer {
  const { version, schematic, arch } = image
  const header = Buffer.from(`${diskMagic}${JSON.stringify({ version, schematic, arch })}\n`)
  return seal(Buffer.concat([header, seededRandom(version.length).bytes(fillerBytes)]))
}

/** What a disk holds: a Talos image if every byte of it is there, garbage otherwise. */
export function readDisk(bytes: Buffer): DiskImage {
  const content = unseal(bytes)?.toString('latin1')
  if (content === undefined || !content.startsWith(diskMagic)) return { kind: 'garbage' }
  const header = content.slice(diskMagic.length, content.indexOf('\n', diskMagic.length))
  const { version, schematic, arch } = JSON.parse(header)
  return { kind: 'talos', version, schematic, arch }
}

/** The disk as the factory ships it. */
export function packDisk(image: TalosImage, packing: Packing): Buffer {
  const disk = writeDisk(image)
  return packing === 'xz' ? writeXz(disk) : zstdCompressSync(disk)
}

/** The disk in a download; undefined if it is not of this packing, or a byte is missing or wrong. */
export function unpackDisk(bytes: Buffer, packing: Packing): Buffer | undefined {
  if (packing === 'xz') return readXz(bytes)
  try {
    return zstdDecompressSync(bytes)
  } catch {
    return undefined
  }
}

function seal(content: Buffer): Buffer {
  return Buffer.concat([content, digest(content)])
}

function unseal(bytes: Buffer): Buffer | undefined {
  if (bytes.length < digestBytes) return undefined
  const content = bytes.subarray(0, -digestBytes)
  return digest(content).equals(bytes.subarray(-digestBytes)) ? content : undefined
}

function digest(content: Buffer): Buffer {
  return createHash('sha256').update(content).digest()
}
