import { isJsonObject, type JsonObject } from '../../lib/json.ts'
import type { Random } from '../../lib/random.ts'
import { wrapDataKey } from './data-key.ts'
import { isPortableNumber, type Leaf, type LeafPath, mapLeaves } from './leaf.ts'
import { leafContext, leavesDigest, sealLeaf } from './leaf-cipher.ts'
import { sopsVersion } from './sops-metadata.ts'
import { yamlText } from './yaml-text.ts'

export interface EncryptOptions {
  /** age recipients; at least one. */
  readonly recipients: readonly string[]
  /** Keys below which leaves are encrypted, as SOPS's `encrypted_regex`. */
  readonly encryptedRegex: string
  readonly random: Random
  readonly now: number
}

/**
 * The text of a SOPS file for age recipients: each secret leaf by itself under a fresh data key, bound to
 * its path, and a MAC over all leaves in order. Several documents make a file of several documents, as
 * SOPS itself writes them, so that `sops -d` gives back what was put in.
 */
export async function encryptSops(
  documents: readonly JsonObject[],
  { recipients, encryptedRegex, random, now }: EncryptOptions,
): Promise<string> {
  const key = random.bytes(32)
  const pattern = new RegExp(encryptedRegex)
  const leaves: Leaf[] = []
  const sealed = documents.map((document) =>
    mapLeaves(document, (leaf, path) => {
      assertPortable(leaf, path)
      leaves.push(leaf)
      if (!path.some((part) => pattern.test(part))) return leaf
      return sealLeaf(leaf, key, leafContext(path), random)
    }),
  )
  const lastmodified = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
  const sops = {
    age: (await wrapDataKey(key, recipients)).map(({ recipient, enc }) => ({ recipient, enc })),
    lastmodified,
    mac: sealLeaf(leavesDigest(leaves), key, lastmodified, random),
    encrypted_regex: encryptedRegex,
    version: sopsVersion,
  }
  return yamlText(sealed.filter(isJsonObject).map((document) => ({ ...document, sops })))
}

/** What cannot make the round trip is refused before anything is written. */
function assertPortable(leaf: Leaf, path: LeafPath): void {
  const name = path.join('.')
  if (path[0] === 'sops')
    throw new Error('a key named sops cannot stand at the top of a SOPS document')
  if (typeof leaf === 'number' && !isPortableNumber(leaf)) {
    throw new Error(`the number at ${name} cannot be kept exactly`)
  }
  if (typeof leaf === 'string' && !leaf.isWellFormed()) {
    throw new Error(`the text at ${name} is not well-formed Unicode`)
  }
  if (path.length === 1 && /^\d+$/.test(name)) {
    throw new Error(`a key of digits only (${name}) cannot stand at the top of a SOPS document`)
  }
}
