import { canonicalJson, jsonDigest } from '../../lib/canonical-json.ts'
import { isJsonObject, type Json } from '../../lib/json.ts'
import { hideSecrets, isSecretKey } from '../../plan/config-secrets.ts'
import type { ConfigDocument } from './config-document.ts'
import { type ConfigLeaf, configLeaves } from './config-leaves.ts'
import { isPlaceholder } from './placeholder.ts'

/** Longer values are known by a digest. */
const longestKept = 200

/**
 * What a config has where the state branch keeps values encrypted, by field, as far as it comes from the cluster
 * file: the values where anybody may see them, else digests. From documents with placeholders (`publicConfig`), so
 * that nothing of the cluster's own secrets is in it. With it a plan without a key knows which hidden field differs.
 */
export function hiddenFields(documents: readonly ConfigDocument[]): Record<string, string> {
  return Object.fromEntries(
    [...configLeaves(documents)]
      .filter(([, leaf]) => isKeptEncrypted(leaf) && !hasPlaceholder(leaf.value))
      .map(([path, leaf]) => [path, markOf(leaf)]),
  )
}

/** The value that a mark stands for, where it is one that may be seen. */
export function valueOfMark(mark: string): Json | undefined {
  return mark.startsWith(digestMark) ? undefined : JSON.parse(mark)
}

const digestMark = 'sha256:'

function markOf({ value, path }: ConfigLeaf): string {
  const text = canonicalJson(value)
  const isPublic = canonicalJson(hideSecrets(value, 'file', path)) === text
  return isPublic && text.length <= longestKept && !text.includes('\\n')
    ? text
    : `${digestMark}${jsonDigest(value)}`
}

function isKeptEncrypted({ path, value }: ConfigLeaf): boolean {
  return path.some(isSecretKey) || hasSecretKey(value)
}

function hasSecretKey(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasSecretKey)
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(([key, each]) => isSecretKey(key) || hasSecretKey(each))
}

function hasPlaceholder(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasPlaceholder)
  if (isJsonObject(value)) return Object.values(value).some(hasPlaceholder)
  return isPlaceholder(value)
}
