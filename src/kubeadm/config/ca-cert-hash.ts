import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { readCertificates } from './certificate.ts'

/**
 * What a host that joins compares the authorities of a cluster with: `sha256:` and the digest of the public key of each
 * certificate of a PEM text, of which there are several while an authority is rotated.
 */
export function caCertHashes(pem: string): string[] {
  return readCertificates(pem).map(({ publicKey }) => `sha256:${bytesToHex(sha256(publicKey))}`)
}
