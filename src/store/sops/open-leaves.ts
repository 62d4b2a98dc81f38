import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { wrapDataKey } from './data-key.ts'
import type { Leaf } from './leaf.ts'
import { parseSealed, type SealedLeaf } from './leaf-cipher.ts'
import { sopsVersion } from './sops-metadata.ts'

/** An encrypted leaf as it stands in a document. */
export interface EncryptedLeaf {
  readonly path: readonly string[]
  readonly text: string
}

/**
 * Opens leaves through sops-age, in order; undefined when any of them does not open.
 *
 * sops-age takes one document, one identity of the classic kind, and leaves keys of digits out of the
 * additional data. So it gets all leaves in one flat document, each under its whole path as a single key,
 * and the data key wrapped for an identity of the moment: then several documents, several identities and
 * hybrid ones work as well. Its messages, which quote keys, go nowhere.
 */
export async function openLeaves(
  leaves: readonly EncryptedLeaf[],
  dataKey: Uint8Array,
): Promise<Leaf[] | undefined> {
  const byPath = new Map<string, SealedLeaf[]>()
  const document: Record<string, string[]> = Object.create(null)
  for (const { path, text } of leaves) {
    const sealed = parseSealed(text)
    if (!sealed) return undefined
    const name = path.join(':')
    byPath.set(name, [...(byPath.get(name) ?? []), sealed])
    // A date is text to us: sops-age does not know SOPS's type for it, and types are not authenticated.
    document[name] = [...(document[name] ?? []), text.replace(/,type:time\]$/, ',type:str]')]
  }
  const opened = await openDocument(document, dataKey)
  if (!opened) return undefined
  const next = new Map<string, number>()
  return leaves.map(({ path }) => {
    const name = path.join(':')
    const at = next.get(name) ?? 0
    next.set(name, at + 1)
    return repaired(opened[name]?.[at] ?? '', byPath.get(name)?.[at])
  })
}

async function openDocument(
  document: Record<string, string[]>,
  dataKey: Uint8Array,
): Promise<Record<string, Leaf[]> | undefined> {
  // Only who opens secrets pays for loading it, which is a tenth of a plan.
  const { decryptSops } = await import('sops-age')
  const secretKey = await generateX25519Identity()
  const age = await wrapDataKey(dataKey, [await identityToRecipient(secretKey)])
  const sops = { age, lastmodified: '', mac: '', version: sopsVersion }
  try {
    return await decryptSops(JSON.stringify({ ...document, sops }), { secretKey, fileType: 'json' })
  } catch {
    return undefined
  }
}

/** Gives a text back the byte order mark at its start, which sops-age's decoder drops. */
function repaired(leaf: Leaf, sealed: SealedLeaf | undefined): Leaf {
  if (typeof leaf !== 'string' || !sealed) return leaf
  return Buffer.byteLength(leaf) + 3 === sealed.data.length ? `\ufeff${leaf}` : leaf
}
