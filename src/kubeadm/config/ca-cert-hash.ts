import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { AsnParser, AsnSerializer } from '@peculiar/asn1-schema'
import { Certificate } from '@peculiar/asn1-x509'

const block = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g

/**
 * What a host that joins compares the authorities of a cluster with: `sha256:` and the digest of the public key of each
 * certificate of a PEM text, of which there are several while an authority is rotated.
 */
export function caCertHashes(pem: string): string[] {
  return [...pem.matchAll(block)].map(([, text = '']) => {
    const der = Uint8Array.from(atob(text.replaceAll(/\s/g, '')), (letter) => letter.charCodeAt(0))
    const { subjectPublicKeyInfo } = AsnParser.parse(der, Certificate).tbsCertificate
    const key = new Uint8Array(AsnSerializer.serialize(subjectPublicKeyInfo))
    return `sha256:${bytesToHex(sha256(key))}`
  })
}
