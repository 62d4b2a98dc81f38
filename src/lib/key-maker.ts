/** Written over PKCS #8 bytes, as Talos does; OpenSSL, and so Node, knows only `PRIVATE KEY`. */
const ed25519Label = 'ED25519 PRIVATE KEY'

/** The same private key under a label that OpenSSL reads: for Node's crypto and TLS. */
export function opensslKeyPem(pem: string): string {
  return pem.replaceAll(ed25519Label, 'PRIVATE KEY')
}

/** The same Ed25519 key (PKCS #8 PEM) under a label that names its kind. */
export function ed25519KeyPem(pkcs8Pem: string): string {
  return pkcs8Pem.replaceAll('PRIVATE KEY', ed25519Label)
}

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
 * Makes and reads private keys, so that what needs keys stays pure. PEM labels name the
 * kind of a key: `ED25519 PRIVATE KEY` (over PKCS #8), `EC PRIVATE KEY`, `RSA PRIVATE KEY`.
 */
export interface KeyMaker {
  /** A new private key as PEM. RSA takes seconds. */
  make(kind: KeyKind): Promise<string>
  /** Reads any of the labels above, and `PRIVATE KEY`; undefined when it is no key of these kinds. */
  read(pem: string): SigningKey | undefined
}
