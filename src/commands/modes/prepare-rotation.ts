import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { ClusterError } from '../../lib/cluster-error.ts'
import { Redactor } from '../../lib/redactor.ts'
import { putAway, putInPlace } from '../../run/identity-files.ts'
import { openStateStore } from '../../run/open-state-store.ts'
import type { RunContext } from '../../run/run-context.ts'
import { recipientKind } from '../../spec/age-recipient.ts'
import type { CommonSpec } from '../../spec/common-spec.ts'
import { type AgeIdentity, parseIdentities } from '../../store/trust/identity.ts'
import { deriveSigningKey } from '../../store/trust/signing-key.ts'
import { writingIdentity } from '../../store/trust/writing-identity.ts'
import { unprepared } from './unprepared.ts'

export interface PreparedRotation {
  /** What `state` of the cluster file is to say before the rotation. */
  readonly state: { readonly recipients: readonly string[]; readonly signer: readonly string[] }
  /** Recipients of the other kind, whose holders need new keys: kinds do not mix. */
  readonly left: readonly string[]
  /**
   * Whether the cluster file names the new identity: not yet; as the newest signer; or as one of a former epoch, which
   * nothing is handed over to any more.
   */
  readonly named: 'no' | 'newest' | 'former'
  /** The epoch of the new identity: the next one where the file does not name it. */
  readonly epoch: number
}

/** Makes an age identity of a kind, as `age-keygen` writes it. */
export async function makeIdentityFile(postQuantum: boolean): Promise<string> {
  const secret = await (postQuantum ? generateHybridIdentity() : generateX25519Identity())
  return `# public key: ${await identityToRecipient(secret)}\n${secret}\n`
}

/** Whether the recipients of a cluster file are post-quantum ones, so that a new one must be. */
export function isPostQuantum({ state }: CommonSpec): boolean {
  const [first] = state.recipients
  return first !== undefined && recipientKind(first) === 'post-quantum'
}

/**
 * What the cluster file must say for the state to be handed over from the identity of the runs to the new one: the
 * new recipient in its place, and the new signer after the former ones. With an offline identity alone, since that
 * of the runs is lost, every recipient stays: which of them is lost is known to people only. Asks nobody. Throws
 * `identity-invalid`, and `rotation-unprepared` where the present signer is not known.
 */
export async function prepareRotation(
  { state: { recipients, signers } }: CommonSpec,
  { present, next }: { readonly present: string | undefined; readonly next: string },
  redactor = new Redactor(),
): Promise<PreparedRotation> {
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
      { hint: 'Give the present identity too: HCLOUD_TALOS_AGE_IDENTITY_FILE.' },
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
    named: !isListed ? 'no' : signers.at(-1) === signer ? 'newest' : 'former',
    epoch: (isListed ? signers.lastIndexOf(signer) : known.length) + 1,
  }
}

/**
 * Refuses an identity that was made for a rotation which is done, and whose file was left where it was made: the state
 * is its own already, and nothing could be handed over to it. Asks the state branch where the cluster file names it as
 * the newest. Throws `rotation-unprepared`.
 */
export async function refuseLeftOver(
  context: RunContext,
  spec: CommonSpec,
  prepared: PreparedRotation & { readonly path: string },
): Promise<void> {
  const leftOver = await findLeftOver(context, spec, prepared)
  if (!leftOver) return
  throw unprepared(
    spec.clusterName,
    leftOver.message,
    `Put it where it belongs (\`${leftOver.command}\`), then run \`hcloud-talos rotate --prepare\` again.`,
  )
}

/** What is left over from a rotation that is done, and the command that puts it where it belongs. */
export async function findLeftOver(
  context: RunContext,
  spec: CommonSpec,
  { named, epoch, path }: Pick<PreparedRotation, 'named' | 'epoch'> & { readonly path: string },
): Promise<{ readonly message: string; readonly command: string } | undefined> {
  if (named === 'former') {
    return {
      message: `${path} holds an identity of a former epoch: it is left over from a rotation that is long done`,
      command: putAway(path, epoch),
    }
  }
  if (named === 'no' || !(await isHandedOver(context, spec))) return undefined
  return {
    message: `${path} holds the identity that the state is of already: it is left over from a rotation that is done`,
    command: putInPlace(path, epoch),
  }
}

async function isHandedOver(context: RunContext, spec: CommonSpec): Promise<boolean> {
  await using store = await openStateStore(context, spec, { dropsRecipients: true })
  const present = await store.read()
  return present?.manifest.keyEpoch === spec.state.signers.length
}
