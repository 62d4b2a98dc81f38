import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { seededRandom } from '../../lib/random.ts'
import type { DiskImage } from '../machine.ts'

export type TalosImage = Extract<DiskImage, { kind: 'talos' }>

/** How the sandbox's images are packed: each has the magic bytes of the real thing, and no more of it. */
export const packings = {
  xz: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
  zst: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
} as const

export type Packing = keyof typeof packings

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
  return seal(Buffer.concat([packings[packing], gzipSync(writeDisk(image))]))
}

/** The disk in a download; undefined if it is not of this packing, or a byte is missing or wrong. */
export function unpackDisk(bytes: Buffer, packing: Packing): Buffer | undefined {
  const magic = packings[packing]
  const content = unseal(bytes)
  if (content === undefined || !content.subarray(0, magic.length).equals(magic)) return undefined
  return gunzipSync(content.subarray(magic.length))
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
