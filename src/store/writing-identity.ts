import type { AgeIdentity } from './identity.ts'
import { deriveSigningKey } from './signing-key.ts'

/**
 * The identity with which a run writes, of those that it holds: the one whose key is the newest that the cluster
 * file names by epoch (`signers`), else the first. The others open what was written for them before a rotation.
 */
export function writingIdentity(
  identities: readonly AgeIdentity[],
  signers: readonly string[],
): AgeIdentity | undefined {
  const epochOf = (identity: AgeIdentity) => signers.indexOf(deriveSigningKey(identity).signer)
  const [first, ...others] = identities
  if (!first) return undefined
  return others.reduce((best, next) => (epochOf(next) > epochOf(best) ? next : best), first)
}
