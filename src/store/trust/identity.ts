import { identityToRecipient } from 'age-encryption'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { Redactor } from '../../lib/redactor.ts'

/** age's two kinds of keys; files for both kinds at once would be only as safe as the weaker. */
type KeyKind = 'classic' | 'post-quantum'

/** One age key pair: `AGE-SECRET-KEY-1…` or `AGE-SECRET-KEY-PQ-1…`, and its public half. */
export interface AgeIdentity {
  readonly secret: string
  readonly recipient: string
  readonly kind: KeyKind
}

/**
 * The identities in a text as `age-keygen` writes it: one a line, with comments and empty lines between.
 * Registers each with the redactor. Throws `identity-invalid`, never quoting what it read.
 */
export async function parseIdentities(
  text: string,
  redactor: Redactor,
): Promise<readonly [AgeIdentity, ...AgeIdentity[]]> {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  for (const line of lines) redactor.add(line)
  const [first, ...others] = await Promise.all(lines.map(parseIdentity))
  if (!first) {
    throw invalid('the age identity is empty', 'Put the whole line AGE-SECRET-KEY-… there.')
  }
  return [first, ...others]
}

async function parseIdentity(line: string, index: number): Promise<AgeIdentity> {
  const kind = line.startsWith('AGE-SECRET-KEY-PQ-1') ? 'post-quantum' : 'classic'
  try {
    return { secret: line, recipient: await identityToRecipient(line), kind }
  } catch {
    throw invalid(
      `line ${index + 1} of the age identity is not an age secret key`,
      'Give all of what `age-keygen` printed, AGE-SECRET-KEY-1… or AGE-SECRET-KEY-PQ-1….',
    )
  }
}

/** `identity-missing`: secrets were asked for and no identity was given. */
export function identityMissing(target: string): ClusterError {
  return new ClusterError(
    'identity-missing',
    'the age identity that opens the state was not given',
    {
      hint: 'Set HCLOUD_TALOS_AGE_IDENTITY to the key, or HCLOUD_TALOS_AGE_IDENTITY_FILE to its file.',
      operation: 'open the secrets of the cluster',
      target,
    },
  )
}

/** The identity with which a run writes. */
export interface OwnIdentity {
  readonly own: AgeIdentity | undefined
  /**
   * Whether it is of a former epoch, and the reviewed cluster file names a newer signer: what it writes is for the
   * next key too, be that of another kind.
   */
  readonly isLeaving: boolean
}

/**
 * For whom the state is written: the recipients of the cluster file, and our own identity where it is not among
 * them, since a run that cannot read what it wrote has lost it. Sorted. Throws `identity-invalid` for what is no
 * recipient, and for kinds that do not mix: they only do for the time between the merge that names a key of the other
 * kind and the rotation, which encrypts all of it again.
 */
export function stateRecipients(
  fromSpec: readonly string[],
  { own, isLeaving }: OwnIdentity,
): string[] {
  const recipients = [...new Set([...fromSpec, ...(own ? [own.recipient] : [])])].sort()
  const kinds = new Set((isLeaving ? fromSpec : recipients).map(kindOfRecipient))
  if (kinds.size > 1) {
    throw invalid(
      'post-quantum and classic age recipients stand side by side',
      'Use keys of one kind: a file that a classic key opens too is not safe from quantum computers. `hcloud-talos rotate --prepare` shows how to change to another kind.',
    )
  }
  return recipients
}

/**
 * For whom one age file is encrypted: its recipients are of one kind. While two stand side by side, those of the next
 * key: post-quantum ones.
 */
export function ageFileRecipients(recipients: readonly string[]): string[] {
  const stronger = recipients.filter((each) => kindOfRecipient(each) === 'post-quantum')
  return stronger.length > 0 ? stronger : [...recipients]
}

/** Whether a recipient is of another kind than all of these, of which there is one at least. */
export function isOfOtherKind(recipient: string, others: readonly string[]): boolean {
  const kind = kindOfRecipient(recipient)
  return others.length > 0 && others.every((each) => kindOfRecipient(each) !== kind)
}

function kindOfRecipient(recipient: string): KeyKind {
  if (/^age1pq1[02-9ac-hj-np-z]+$/.test(recipient)) return 'post-quantum'
  if (/^age1[02-9ac-hj-np-z]{58}$/.test(recipient)) return 'classic'
  throw invalid(
    `${recipient.slice(0, 12)}… is not an age recipient`,
    'List public keys as `age-keygen -y` prints them: age1… or age1pq1….',
  )
}

function invalid(message: string, hint: string): ClusterError {
  return new ClusterError('identity-invalid', message, { hint })
}
