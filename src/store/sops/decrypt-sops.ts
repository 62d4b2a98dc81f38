import { ClusterError } from '../../lib/cluster-error.ts'
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { AgeIdentity } from '../trust/identity.ts'
import { unwrapDataKey } from './data-key.ts'
import type { Leaf, LeafPath } from './leaf.ts'
import { leavesDigest, openSealed, parseSealed } from './leaf-cipher.ts'
import { type EncryptedLeaf, openLeaves } from './open-leaves.ts'
import { encryptionRule, type SopsMetadata, sopsMetadata } from './sops-metadata.ts'
import { mapTree, parseYamlTrees, type YamlTree } from './yaml-tree.ts'

export interface DecryptOptions {
  readonly identities: readonly AgeIdentity[]
  /** The file's name, for messages. */
  readonly target: string
  /** Called with each leaf that was encrypted: for the redactor. */
  readonly onSecret?: (path: LeafPath, value: Leaf) => void
}

/**
 * Opens a SOPS file of one or more documents and verifies its MAC. Throws `state-undecryptable`, naming
 * its recipients, when no identity is one of them, and `state-corrupt` when it is no SOPS file or anything
 * in it was changed. What should be encrypted and is not is never taken for plain.
 */
export async function decryptSops(text: string, options: DecryptOptions): Promise<JsonObject[]> {
  const { target } = options
  const { trees, metadata } = parseSops(text, target)
  const isEncrypted = encryptionRule(metadata)
  if (!isEncrypted) throw corrupt('its rule of encryption hangs on comments', target)
  const key = await unwrapDataKey(metadata.age, options.identities)
  if (!key) throw undecryptable(metadata, options)

  const leaves: { path: LeafPath; value: Leaf; encrypted: boolean }[] = []
  for (const tree of trees) {
    visitData(tree, (value, path) => {
      leaves.push({ path, value, encrypted: isEncrypted(path) })
      return value
    })
  }
  const sealed = leaves.flatMap(({ path, value, encrypted }): EncryptedLeaf[] =>
    encrypted && value !== '' ? [{ path, text: String(value) }] : [],
  )
  const opened = await openLeaves(sealed, key)
  if (!opened) throw corrupt('a value in it does not open or is not encrypted', target)

  let next = 0
  const plain = leaves.map(({ path, value, encrypted }) => {
    if (!encrypted || value === '') return value
    const secret = opened[next++] ?? ''
    options.onSecret?.(path, secret)
    return secret
  })
  verifyMac(metadata, key, target, () => {
    const counted = plain.filter((_, at) => !metadata.mac_only_encrypted || leaves[at]?.encrypted)
    return leavesDigest(counted, metadata.mac_only_encrypted)
  })
  let at = 0
  return trees.map((tree) => visitData(tree, () => plain[at++] ?? ''))
}

/** What a SOPS file says of itself. */
export interface SopsHeader {
  /** For whom it was written. */
  readonly recipients: readonly string[]
  /** Which keys its own rule encrypts below, as SOPS's `encrypted_regex`; undefined where it has another rule. */
  readonly encryptedRegex: string | undefined
}

/** Reads what a SOPS file says of itself; needs no identity. Throws `state-corrupt`. */
export function sopsHeader(text: string, target: string): SopsHeader {
  const { age, encrypted_regex: encryptedRegex } = parseSops(text, target).metadata
  return { recipients: age.map(({ recipient }) => recipient), encryptedRegex }
}

/** Whether one of some identities opens a SOPS file, whoever it says that it is for. Throws `state-corrupt`. */
export async function opensWith(
  text: string,
  identities: readonly AgeIdentity[],
  target: string,
): Promise<boolean> {
  const { metadata } = parseSops(text, target)
  return (await unwrapDataKey(metadata.age, identities)) !== undefined
}

function parseSops(text: string, target: string): { trees: YamlTree[]; metadata: SopsMetadata } {
  const trees = parseYamlTrees(text)
  if (!trees) throw corrupt('it is not YAML', target)
  const [first] = trees
  const metadata = sopsMetadata.safeParse(first && metadataOf(first))
  if (!metadata.success) throw corrupt('it is not a SOPS file', target)
  return { trees, metadata: metadata.data }
}

function metadataOf(tree: YamlTree): Json | undefined {
  return mapTree(tree, (leaf) => leaf)['sops']
}

/** Like `mapTree`, past what SOPS keeps for itself. */
function visitData(tree: YamlTree, visit: (leaf: Leaf, path: LeafPath) => Leaf): JsonObject {
  const { sops: _, ...data } = mapTree(tree, (leaf, path) =>
    path[0] === 'sops' ? leaf : visit(leaf, path),
  )
  return isJsonObject(data) ? data : {}
}

function verifyMac(
  { mac, lastmodified }: SopsMetadata,
  key: Uint8Array,
  target: string,
  digest: () => string,
): void {
  const sealed = parseSealed(mac)
  const expected = sealed && openSealed(sealed, key, lastmodified)
  if (expected === undefined) throw corrupt('its MAC does not open', target)
  if (expected !== digest()) throw corrupt('its MAC does not match what it holds', target)
}

function corrupt(why: string, target: string): ClusterError {
  return new ClusterError('state-corrupt', `${target} was damaged or changed: ${why}`, {
    hint: 'Compare it with the former commit of the state branch, and restore that file from there.',
    operation: 'open a SOPS file',
    target,
  })
}

function undecryptable(metadata: SopsMetadata, options: DecryptOptions): ClusterError {
  const list = (names: string[]) => names.map(shorten).join(', ') || 'nobody'
  const recipients = list(metadata.age.map(({ recipient }) => recipient))
  const ours = list(options.identities.map(({ recipient }) => recipient))
  return new ClusterError(
    'state-undecryptable',
    `${options.target} is encrypted for ${recipients}; the identity given is ${ours}`,
    {
      hint: 'Give the identity of one of its recipients: after a rotation that is the new one. Only where none of them is left, and the cluster runs, run `hcloud-talos recover --replace-state`, which reads its secrets out of the nodes. Never make new secrets for a cluster that exists.',
      operation: 'open a SOPS file',
      target: options.target,
    },
  )
}

/** Hybrid recipients have two thousand characters. */
function shorten(recipient: string): string {
  return recipient.length > 64 ? `${recipient.slice(0, 24)}…${recipient.slice(-8)}` : recipient
}
