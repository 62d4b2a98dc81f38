import { createHash, type X509Certificate } from 'node:crypto'

/** Base64 SHA-256 of a certificate's public key (SPKI, DER): what Talos shows on a node's console. */
export function spkiFingerprint({ publicKey }: X509Certificate): string {
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(der).digest('base64')
}
