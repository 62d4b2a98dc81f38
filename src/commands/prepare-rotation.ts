import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { ClusterError } from '../lib/cluster-error.ts'
import { Redactor } from '../lib/redactor.ts'
import { recipientKind } from '../spec/age-recipient.ts'
import { type AgeIdentity, parseIdentities } from '../store/identity.ts'
import { deriveSigningKey } from '../store/signing-key.ts'
import { writingIdentity } from '../store/writing-identity.ts'
import { type ClusterFile, readClusterFile } from './cluster-session.ts'

export interface PreparedRotation {
  /** What `state` of the cluster file is to say before the rotation. */
  readonly state: { readonly recipients: readonly string[]; readonly signer: readonly string[] }
  /** Recipients of the other kind, whose holders need new keys: kinds do not mix. */
  readonly left: readonly string[]
}

/** Makes an age identity of a kind, as `age-keygen` writes it. */
export async function makeIdentityFile(postQuantum: boolean): Promise<string> {
  const secret = await (postQuantum ? generateHybridIdentity() : generateX25519Identity())
  return `# public key: ${await identityToRecipient(secret)}\n${secret}\n`
}

/** Whether the recipients of a cluster file are post-quantum ones, so that a new one must be. */
export function isPostQuantum(file: ClusterFile): boolean {
  const [first] = readClusterFile(file).spec.state.recipients
  return first !== undefined && recipientKind(first) === 'post-quantum'
}

/**
 * What the cluster file must say for the state to be handed over from the identity of the runs to the new one: the
 * new recipient in its place, and the new signer after the former ones. With an offline identity alone, since that
 * of the runs is lost, every recipient stays: which of them is lost is known to people only. Asks nobody. Throws
 * `identity-invalid`, and `rotation-unprepared` where the present signer is not known.
 */
export async function prepareRotation(
  file: ClusterFile,
  { present, next }: { readonly present: string | undefined; readonly next: string },
  redactor = new Redactor(),
): Promise<PreparedRotation> {
  const { recipients, signers } = readClusterFile(file).spec.state
  const [added] = await parseIdentities(next, redactor)
  const held = present === undefined ? [] : await parseIdentities(present, redactor)
  const former = held.filter(({ secret }) => secret !== added.secret)
  const signer = deriveSigningKey(added).signer
  const isListed = signers.includes(signer)
  const writer = writingIdentity(former, signers)
  const known = signers.length > 0 ? signers : writer ? [deriveSigningKey(writer).signer] : []
  if (known.length === 0) {
    throw new ClusterError(
      'rotation-unprepared',
      'state.signer is not set, so that the present signer is known by its identity alone',
      { hint: 'give the present identity too: HCLOUD_TALOS_AGE_IDENTITY_FILE' },
    )
  }
  // Of those that are held only what the runs write with is replaced: an offline one stays.
  const writesRuns = (identity: AgeIdentity) =>
    signers.length === 0 || signers.includes(deriveSigningKey(identity).signer)
  const leaving = new Set(former.filter(writesRuns).map(({ recipient }) => recipient))
  const staying = recipients.filter(
    (recipient) => !leaving.has(recipient) && recipient !== added.recipient,
  )
  const kind = recipientKind(added.recipient)
  return {
    state: {
      recipients: [added.recipient, ...staying.filter((each) => recipientKind(each) === kind)],
      signer: isListed ? [...known] : [...known, signer],
    },
    left: staying.filter((each) => recipientKind(each) !== kind),
  }
}
