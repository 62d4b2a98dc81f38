import { identityToRecipient } from 'age-encryption'
import { ClusterError } from '../lib/cluster-error.ts'
import type { Redactor } from '../lib/redactor.ts'

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
      'It must be what `age-keygen` printed, AGE-SECRET-KEY-1… or AGE-SECRET-KEY-PQ-1…, and complete.',
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

/**
 * For whom the state is written: the recipients of the cluster file, and our own first identity where it
 * is not among them, since a run that cannot read what it wrote has lost it. Sorted. Throws
 * `identity-invalid` for what is no recipient, and for kinds that do not mix.
 */
export function stateRecipients(
  fromSpec: readonly string[],
  identities: readonly AgeIdentity[],
): string[] {
  const own = identities.slice(0, 1).map(({ recipient }) => recipient)
  const recipients = [...new Set([...fromSpec, ...own])].sort()
  const kinds = new Set(recipients.map(kindOfRecipient))
  if (kinds.size > 1) {
    throw invalid(
      'post-quantum and classic age recipients stand side by side',
      'Use keys of one kind: a file that a classic key opens too is not safe from quantum computers.',
    )
  }
  return recipients
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
