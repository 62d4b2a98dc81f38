import type { JsonObject } from '../../../lib/json.ts'
import type { FieldChange, Risk } from '../../../plan/change.ts'
import type { ClusterSpec } from '../../../spec/cluster-spec.ts'

/** For whom the secrets of a cluster are encrypted on the state branch now. */
export interface SecretsSealing {
  /** Who opens all of them. */
  readonly readers: ReadonlySet<string>
  /** Who opens any of them. */
  readonly anyReaders: ReadonlySet<string>
  /** What of a machine config is encrypted; undefined while there is none. */
  readonly encrypt: 'secrets' | 'all' | undefined
  /** Whom the cluster file named when they were encrypted. */
  readonly named: readonly string[]
}

/**
 * How the secrets are to be kept. The identity of the runs is left out on both sides: a plan without a key does not
 * know it, and says the same as one that has it.
 */
export function desiredSecrets({ recipients, encrypt }: ClusterSpec['state']): JsonObject {
  return { recipients: asReaders(recipients), encrypt }
}

/** How they are kept. */
export function liveSecrets(
  { readers, anyReaders, encrypt, named }: SecretsSealing,
  state: ClusterSpec['state'],
): JsonObject {
  const wanted = state.recipients.filter((recipient) => readers.has(recipient))
  const leaving = named.filter(
    (recipient) => anyReaders.has(recipient) && !state.recipients.includes(recipient),
  )
  return {
    recipients: asReaders([...wanted, ...leaving]),
    encrypt: encrypt ?? state.encrypt,
  }
}

function asReaders(recipients: readonly string[]): JsonObject {
  return Object.fromEntries(
    recipients.map((recipient) => [shortened(recipient), 'can read the secrets']),
  )
}

/** Post-quantum recipients have two thousand characters; these ones tell any two apart. */
function shortened(recipient: string): string {
  return recipient.length > 64 ? `${recipient.slice(0, 32)}…${recipient.slice(-16)}` : recipient
}

/** What another way of keeping them means. */
export function describeSecretsUpdate(fields: readonly FieldChange[]): {
  risk: Risk
  reason: string
} {
  const changed = (wanted: 'after' | 'before') =>
    fields.filter(({ path, ...values }) => path !== 'encrypt' && values[wanted] === undefined)
  const isDropping = changed('after').length > 0
  const isAdding = changed('before').length > 0
  const reasons = [
    ...(isAdding ? ['whom the file names opens everything from the next generation on'] : []),
    ...(isDropping
      ? [
          'whom the file names no more still opens all that was written so far, in the history of the branch: where that must not be, `hcloud-talos revoke` replaces what can be replaced',
        ]
      : []),
  ]
  return {
    risk: 'live',
    reason: `every secret file is re-encrypted${reasons.length > 0 ? `; ${reasons.join('; ')}` : ''}`,
  }
}
