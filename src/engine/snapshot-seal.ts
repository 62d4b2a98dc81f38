import type { SealOptions } from '../backup/sealed-snapshot.ts'
import type { RunContext } from '../run/run-context.ts'
import type { CommonSpec } from '../spec/common-spec.ts'
import type { Manifest } from '../store/files/manifest.ts'
import {
  ageFileRecipients,
  identityMissing,
  parseIdentities,
  stateRecipients,
} from '../store/trust/identity.ts'
import { signatureFile } from '../store/trust/signature-file.ts'
import { createStateTrust } from '../store/trust/state-trust.ts'
import { ownIdentity, writingIdentity } from '../store/trust/writing-identity.ts'

/**
 * How this run seals snapshots of a cluster: for the recipients of its state, signed by the key that signs
 * its state. Throws `identity-missing`, and `state-signer-unknown` or `state-epoch-unknown` for a key that
 * nobody would believe.
 */
export async function snapshotSeal(
  { state, redactor }: RunContext,
  { clusterName, state: { recipients, signers } }: CommonSpec,
  { keyEpoch }: Manifest,
): Promise<Omit<SealOptions, 'metadata'>> {
  const target = `a snapshot of ${clusterName}`
  if (state.identity === undefined) throw identityMissing(target)
  const identities = await parseIdentities(state.identity, redactor)
  const trust = createStateTrust(signers, identities)
  const own = ownIdentity(writingIdentity(identities, signers), signers)
  const { key } = trust.signingKey(keyEpoch, target, () => identityMissing(target))
  return {
    recipients: ageFileRecipients(stateRecipients(recipients, own)),
    sign: (bytes) => Buffer.from(signatureFile(key, bytes)).toString('latin1'),
  }
}
