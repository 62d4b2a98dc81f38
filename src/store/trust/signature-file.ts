import type { SigningKey } from './signing-key.ts'

/** A signature and who says to have made it: all that is read of a state before it is verified. */
export interface Signature {
  readonly signer: string
  readonly bytes: Uint8Array
}

const form = /^(hts1[A-Za-z0-9+/]{47}) ([A-Za-z0-9+/]{86}==)\n$/

/** The content of manifest.sig: one line with the signer and the signature in base64. */
export function signatureFile(key: SigningKey, manifest: Uint8Array): Uint8Array {
  return Buffer.from(`${key.signer} ${Buffer.from(key.sign(manifest)).toString('base64')}\n`)
}

/** Reads manifest.sig; undefined for what is not exactly that. */
export function parseSignature(content: Uint8Array): Signature | undefined {
  const [, signer, text] = form.exec(Buffer.from(content).toString('latin1')) ?? []
  return signer && text ? { signer, bytes: Buffer.from(text, 'base64') } : undefined
}
