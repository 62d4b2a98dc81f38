import { ClusterError } from '../../lib/cluster-error.ts'
import type { AgeIdentity } from './identity.ts'
import { parseSignature } from './signature-file.ts'
import { deriveSigningKey, isSignedBy, type SigningKey } from './signing-key.ts'
import { stateDamage } from './state-damage.ts'

/**
 * Who is believed. `named`: whom the cluster file names; `derived`: the run's own identities, where it names
 * nobody; `nobody`: neither is there, so a signature proves only that its writer had some key.
 */
export type TrustKind = 'named' | 'derived' | 'nobody'

/** Judges who wrote a state, and signs as this run. */
export interface StateTrust {
  readonly kind: TrustKind
  /** Verifies a signature before anything of the manifest is read; returns the signer. */
  verify(manifest: Uint8Array, signature: Uint8Array | undefined, target: string): string
  /** The newest epoch of a signer; undefined where nobody says which is whose. */
  epochOf(signer: string): number | undefined
  /** Refuses an epoch that is not the signer's. */
  verifyEpoch(epoch: number, signer: string, target: string): void
  /**
   * The key and the epoch for a generation upon one of epoch `former`. Throws `identity-missing` through
   * `missing`, and `state-signer-unknown` or `state-epoch-unknown`: what nobody would believe is not written.
   */
  signingKey(former: number | undefined, target: string, missing: () => Error): EpochKey
}

export interface EpochKey {
  readonly key: SigningKey
  readonly epoch: number
}

/** `named` are the signers of the cluster file, by epoch. */
export function createStateTrust(
  named: readonly string[],
  identities: readonly AgeIdentity[],
): StateTrust {
  const keys = identities.map(deriveSigningKey)
  const kind = named.length > 0 ? 'named' : keys.length > 0 ? 'derived' : 'nobody'
  const believed = kind === 'named' ? named : keys.map(({ signer }) => signer)
  return {
    kind,
    verify(manifest, signatureFile, target) {
      if (!signatureFile) {
        throw stateDamage('state-unsigned', target, 'the state of the cluster carries no signature')
      }
      const signature = parseSignature(signatureFile)
      if (!signature) throw wrong(target, 'its signature cannot be read')
      const { signer, bytes } = signature
      if (kind !== 'nobody' && !believed.includes(signer)) throw unknown(signer, kind, target)
      if (!isSignedBy(signer, manifest, bytes)) {
        throw wrong(target, `its signature is not one of ${signer}`)
      }
      return signer
    },
    epochOf(signer) {
      return kind === 'named' ? named.lastIndexOf(signer) + 1 : undefined
    },
    verifyEpoch(epoch, signer, target) {
      if (kind !== 'named' || named[epoch - 1] === signer) return
      const known = `${named.length} epoch${named.length === 1 ? '' : 's'}`
      const why =
        named[epoch - 1] === undefined
          ? `the cluster file knows ${known}`
          : 'it is not that of its signer'
      throw stateDamage(
        'state-epoch-unknown',
        target,
        `the state of the cluster is of the key epoch ${epoch}; ${why}`,
      )
    },
    signingKey(former = 1, target, missing) {
      const [first] = keys
      if (!first) throw missing()
      if (kind !== 'named') return { key: first, epoch: former }
      const epochs = keys.map((key) => ({ key, epoch: named.indexOf(key.signer) + 1 }))
      const newest = epochs.reduce((best, next) => (next.epoch > best.epoch ? next : best))
      if (newest.epoch === 0) throw notNamed(first.signer, target)
      if (newest.epoch < former) throw retired(newest.epoch, former, target)
      return newest
    },
  }
}

function wrong(target: string, why: string): ClusterError {
  return stateDamage(
    'state-signature-wrong',
    target,
    `the state of the cluster is not genuine: ${why}`,
  )
}

function unknown(signer: string, kind: TrustKind, target: string): ClusterError {
  if (kind === 'named') {
    const message = `the state is signed by ${signer}, which the cluster file does not name`
    return stateDamage('state-signer-unknown', target, message)
  }
  return new ClusterError(
    'state-signer-unknown',
    `the state is signed by ${signer}, which is not the identity of this run`,
    {
      hint: 'Give the identity that wrote it. If you know this signer to be the right one, name it in state.signer of the cluster file.',
      operation: 'read the state branch',
      target,
    },
  )
}

function notNamed(signer: string, target: string): ClusterError {
  return new ClusterError(
    'state-signer-unknown',
    `this run would sign the state as ${signer}, whom the cluster file does not name`,
    {
      hint: 'Use the identity whose signer state.signer names, or add this one at its end.',
      operation: 'write the state branch',
      target,
    },
  )
}

function retired(epoch: number, former: number, target: string): ClusterError {
  return new ClusterError(
    'state-epoch-unknown',
    `this run would sign as key epoch ${epoch}, and the state is of epoch ${former} already`,
    {
      hint: 'Use the newest identity; the key of a former epoch signs nothing any more.',
      operation: 'write the state branch',
      target,
    },
  )
}
