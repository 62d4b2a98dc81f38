import type { AgeIdentity, OwnIdentity } from './identity.ts'
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

/**
 * What the identity with which a run would write means for whom it writes. One that the cluster file does not name as
 * a signer, such as an offline one, reads and writes nothing: nothing is written for it on its own account.
 */
export function ownIdentity(
  identity: AgeIdentity | undefined,
  signers: readonly string[],
): OwnIdentity {
  if (!identity) return { own: undefined, isLeaving: false }
  const epoch = signers.indexOf(deriveSigningKey(identity).signer) + 1
  if (signers.length > 0 && epoch === 0) return { own: undefined, isLeaving: false }
  return { own: identity, isLeaving: epoch < signers.length }
}
