import {
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { formatSigner, parseSigner } from '../../spec/state-signer.ts'
import type { AgeIdentity } from './identity.ts'

/** Says what is derived; another purpose would need another text. */
const derivation = 'hcloud-talos/signing-key/v1'

/** Stands before what is signed, so that a signature of ours means nothing anywhere else. */
const domain = Buffer.from('hcloud-talos/state/v1\0')

/** What comes before the 32 bytes of an Ed25519 key in PKCS #8 and in SPKI (RFC 8410). */
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicHead = Buffer.from('302a300506032b6570032100', 'hex')

/** Signs manifests as one signer. */
export interface SigningKey {
  /** Its public half, as `state.signer` names it. */
  readonly signer: string
  sign(manifest: Uint8Array): Uint8Array
}

/**
 * The key that goes with an age identity: HKDF-SHA256 over the text of the identity (without salt), whose
 * 32 bytes are the seed of an Ed25519 key. The text has its kind in it, so classic and post-quantum
 * identities need no rule of their own. docs/adr/0013 shows how to do it without this program.
 */
export function deriveSigningKey({ secret }: Pick<AgeIdentity, 'secret'>): SigningKey {
  const seed = hkdfSync('sha256', secret.toUpperCase(), '', derivation, 32)
  const der = Buffer.concat([privateHead, Buffer.from(seed)])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return {
    signer: formatSigner(spki.subarray(publicHead.length)),
    sign: (manifest) => sign(null, signedBytes(manifest), key),
  }
}

/** Whether a signer made this signature of a manifest. */
export function isSignedBy(signer: string, manifest: Uint8Array, signature: Uint8Array): boolean {
  const key = publicKey(signer)
  return key !== undefined && verify(null, signedBytes(manifest), key, signature)
}

function publicKey(signer: string): KeyObject | undefined {
  const bytes = parseSigner(signer)
  if (!bytes) return undefined
  const der = Buffer.concat([publicHead, bytes])
  return createPublicKey({ key: der, format: 'der', type: 'spki' })
}

function signedBytes(manifest: Uint8Array): Uint8Array {
  return Buffer.concat([domain, manifest])
}
