/** Ed25519 for the Talos API, P-256 for etcd and Kubernetes, RSA for service account tokens. */
export type KeyKind = 'ed25519' | 'ecdsa-p256' | 'rsa-4096'

/** A private key that can sign; its secret half never leaves it. */
export interface SigningKey {
  readonly algorithm: 'ed25519' | 'ecdsa' | 'rsa'
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array<ArrayBuffer>
  /** Ed25519, ECDSA with SHA-256 (DER), or RSA PKCS #1 v1.5 with SHA-256. */
  sign(data: Uint8Array): Uint8Array<ArrayBuffer>
}

/**
 * Makes and reads private keys, so that what needs keys stays pure. PEM labels are those
 * that Talos writes: `ED25519 PRIVATE KEY` (over PKCS #8), `EC PRIVATE KEY`, `RSA PRIVATE KEY`.
 */
export interface KeyMaker {
  /** A new private key as PEM. RSA takes seconds. */
  make(kind: KeyKind): Promise<string>
  /** Reads any of the labels above, and `PRIVATE KEY`; undefined when it is no key of these kinds. */
  read(pem: string): SigningKey | undefined
}
