import { z } from 'zod'

/** The version of SOPS whose format is written. */
export const sopsVersion = '3.11.0'

const rule = z.string().optional()

/** The part of a document that SOPS keeps for itself, as far as age and we need it. */
export const sopsMetadata = z.object({
  age: z.array(z.object({ recipient: z.string(), enc: z.string() })).default([]),
  lastmodified: z.string(),
  mac: z.string(),
  encrypted_regex: rule,
  unencrypted_regex: rule,
  encrypted_suffix: rule,
  unencrypted_suffix: rule,
  encrypted_comment_regex: rule,
  unencrypted_comment_regex: rule,
  mac_only_encrypted: z.boolean().optional(),
  version: z.string(),
})
export type SopsMetadata = z.infer<typeof sopsMetadata>

/**
 * Whether a leaf at a path is encrypted, by a document's own rule. Undefined for rules that hang on
 * comments, which we neither write nor read.
 */
export function encryptionRule(
  metadata: SopsMetadata,
): ((path: readonly string[]) => boolean) | undefined {
  if (metadata.encrypted_comment_regex || metadata.unencrypted_comment_regex) return undefined
  const { encrypted_regex, unencrypted_regex, encrypted_suffix } = metadata
  if (encrypted_regex) return someKey(new RegExp(encrypted_regex))
  if (unencrypted_regex) return not(someKey(new RegExp(unencrypted_regex)))
  if (encrypted_suffix) return (path) => path.some((key) => key.endsWith(encrypted_suffix))
  const suffix = metadata.unencrypted_suffix || '_unencrypted'
  return (path) => !path.some((key) => key.endsWith(suffix))
}

function someKey(pattern: RegExp): (path: readonly string[]) => boolean {
  return (path) => path.some((key) => pattern.test(key))
}

function not(rule: (path: readonly string[]) => boolean): (path: readonly string[]) => boolean {
  return (path) => !rule(path)
}
