import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { Random } from '../../lib/random.ts'
import { type Leaf, leafText, leafType } from './leaf.ts'

/** Bytes of the nonce; SOPS takes more than AES-GCM's customary twelve. */
const nonceBytes = 32
const tagBytes = 16

/** A leaf's ciphertext, taken apart. */
export interface SealedLeaf {
  readonly data: Buffer
  readonly nonce: Buffer
  readonly tag: Buffer
  readonly type: string
}

/** The additional data of a leaf: its path, so that a ciphertext moved elsewhere does not open. */
export function leafContext(path: readonly string[]): string {
  return `${path.join(':')}:`
}

/** A leaf as SOPS writes it: AES-256-GCM under the data key; an empty string stays one. */
export function sealLeaf(leaf: Leaf, key: Uint8Array, context: string, random: Random): string {
  const text = leafText(leaf)
  if (text === '') return ''
  const nonce = random.bytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context))
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const parts = [data, Buffer.from(nonce), cipher.getAuthTag()].map((part) =>
    part.toString('base64'),
  )
  return `ENC[AES256_GCM,data:${parts[0]},iv:${parts[1]},tag:${parts[2]},type:${leafType(leaf)}]`
}

/** Takes a ciphertext apart; undefined unless it is one. */
export function parseSealed(text: string): SealedLeaf | undefined {
  const pattern = /^ENC\[AES256_GCM,data:([^,]+),iv:([^,]+),tag:([^,]+),type:(\w+)\]$/
  const [, data, nonce, tag, type] = pattern.exec(text) ?? []
  if (!data || !nonce || !tag || !type) return undefined
  const [dataBytes, nonceBytes, tagBytes] = [data, nonce, tag].map((part) =>
    Buffer.from(part, 'base64'),
  )
  return dataBytes && nonceBytes && tagBytes
    ? { data: dataBytes, nonce: nonceBytes, tag: tagBytes, type }
    : undefined
}

/** The text of a sealed leaf; undefined when key, context or ciphertext do not belong together. */
export function openSealed(
  { data, nonce, tag }: SealedLeaf,
  key: Uint8Array,
  context: string,
): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
    return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** The bytes with which SOPS starts a MAC over encrypted leaves only. */
const onlyEncrypted = createHash('sha256').update('sops').digest()

/** What a document's MAC seals: SHA-512 over its leaves in order, as upper-case hex. */
export function leavesDigest(leaves: Iterable<Leaf>, ofEncryptedOnly = false): string {
  const hash = createHash('sha512')
  if (ofEncryptedOnly) hash.update(onlyEncrypted)
  for (const leaf of leaves) hash.update(leafText(leaf), 'utf8')
  return hash.digest('hex').toUpperCase()
}
