import { Redactor } from '../../lib/redactor.ts'
import { identityMissing, parseIdentities } from '../../store/trust/identity.ts'
import { deriveSigningKey } from '../../store/trust/signing-key.ts'

/**
 * The public halves of the keys that sign the state for these age identities, as `state.signer` takes them.
 * Throws `identity-missing` and `identity-invalid`.
 */
export async function stateSigners(
  identities: string | undefined,
  redactor = new Redactor(),
): Promise<string[]> {
  if (identities === undefined) throw identityMissing('state.signer')
  return (await parseIdentities(identities, redactor)).map(
    (identity) => deriveSigningKey(identity).signer,
  )
}
