import { AsnParser, AsnSerializer } from '@peculiar/asn1-schema'
import { Certificate, type Time } from '@peculiar/asn1-x509'

const block = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g

export interface ReadCertificate {
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array
  /** In milliseconds since the epoch. */
  readonly notAfter: number
}

/** The certificates of a PEM text. Throws where one cannot be read. */
export function readCertificates(pem: string): ReadCertificate[] {
  return [...pem.matchAll(block)].map(([, text = '']) => {
    const der = Uint8Array.from(atob(text.replaceAll(/\s/g, '')), (letter) => letter.charCodeAt(0))
    const { subjectPublicKeyInfo, validity } = AsnParser.parse(der, Certificate).tbsCertificate
    return {
      publicKey: new Uint8Array(AsnSerializer.serialize(subjectPublicKeyInfo)),
      notAfter: timeOf(validity.notAfter),
    }
  })
}

function timeOf(time: Time): number {
  return time.getTime().getTime()
}
