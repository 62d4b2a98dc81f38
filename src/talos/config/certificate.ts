import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'
import type { SigningKey } from '../../lib/key-maker.ts'
import type { Random } from '../../lib/random.ts'
import { decodePem, encodePem } from './pem.ts'

const extendedUsages = { clientAuth: id_kp_clientAuth, serverAuth: id_kp_serverAuth }
const organization = '2.5.4.10'
const commonName = '2.5.4.3'
const signatureAlgorithms = {
  ed25519: { algorithm: '1.3.101.112' },
  ecdsa: { algorithm: '1.2.840.10045.4.3.2' },
  rsa: { algorithm: '1.2.840.113549.1.1.11', parameters: null },
} as const

/** Who a certificate is for: each organization becomes a name part of its own, as Go writes them. */
export interface Subject {
  readonly organizations: readonly string[]
  readonly commonName?: string
}

export interface CertificateRequest {
  readonly subject: Subject
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array<ArrayBuffer>
  /** Instants in milliseconds; cut to whole seconds, which is all that X.509 has. */
  readonly notBefore: number
  readonly notAfter: number
  readonly keyUsage: readonly (keyof typeof KeyUsageFlags)[]
  readonly extendedKeyUsage: readonly (keyof typeof extendedUsages)[]
  /** A CA gets basic constraints and a random subject key id. */
  readonly authority: boolean
}

/** Who signs: a CA's certificate with its key, or the certificate's own key alone. */
export interface Issuer {
  readonly key: SigningKey
  /** DER; absent for a self-signed certificate. */
  readonly certificate?: Uint8Array<ArrayBuffer>
}

/** An X.509 v3 certificate, signed by `issuer`, as PEM. */
export function createCertificate(
  request: CertificateRequest,
  issuer: Issuer,
  random: Random,
): string {
  const ca =
    issuer.certificate === undefined
      ? undefined
      : AsnConvert.parse(issuer.certificate, Certificate).tbsCertificate
  const subject = nameOf(request.subject)
  const algorithm = new AlgorithmIdentifier(signatureAlgorithms[issuer.key.algorithm])
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(random),
    signature: algorithm,
    issuer: ca?.subject ?? subject,
    validity: new Validity({
      notBefore: new Date(Math.floor(request.notBefore / 1000) * 1000),
      notAfter: new Date(Math.floor(request.notAfter / 1000) * 1000),
    }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(request.publicKey, SubjectPublicKeyInfo),
    extensions: new Extensions(extensionsOf(request, ca, random)),
  })
  const signed = new Uint8Array(AsnConvert.serialize(tbsCertificate))
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: issuer.key.sign(signed).buffer,
  })
  return encodePem('CERTIFICATE', new Uint8Array(AsnConvert.serialize(certificate)))
}

/**
 * A self-signed certificate once more over the same key, with other dates: subject, key id and all that it may do
 * stay, so whatever was signed by that key is still of this authority. Undefined where somebody else signed it.
 */
export function reissueCertificate(
  pem: string,
  dates: { readonly notBefore: number; readonly notAfter: number },
  { key, random }: { readonly key: SigningKey; readonly random: Random },
): string | undefined {
  const former = readCertificate(pem)
  if (former === undefined) return undefined
  const tbs = AsnConvert.parse(former.der, Certificate).tbsCertificate
  const isSelfSigned =
    sameBytes(AsnConvert.serialize(tbs.subject), AsnConvert.serialize(tbs.issuer)) &&
    sameBytes(former.publicKey.buffer, key.publicKey.buffer)
  if (!isSelfSigned) return undefined
  const algorithm = new AlgorithmIdentifier(signatureAlgorithms[key.algorithm])
  tbs.serialNumber = serialNumber(random)
  tbs.signature = algorithm
  tbs.validity = new Validity({
    notBefore: new Date(Math.floor(dates.notBefore / 1000) * 1000),
    notAfter: new Date(Math.floor(dates.notAfter / 1000) * 1000),
  })
  const signed = new Uint8Array(AsnConvert.serialize(tbs))
  const certificate = new Certificate({
    tbsCertificate: tbs,
    signatureAlgorithm: algorithm,
    signatureValue: key.sign(signed).buffer,
  })
  return encodePem('CERTIFICATE', new Uint8Array(AsnConvert.serialize(certificate)))
}

function sameBytes(left: ArrayBuffer, right: ArrayBuffer): boolean {
  const [a, b] = [new Uint8Array(left), new Uint8Array(right)]
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/** What a certificate says of itself; undefined unless the text is one certificate in PEM. */
export function readCertificate(pem: string):
  | {
      readonly der: Uint8Array<ArrayBuffer>
      /** SubjectPublicKeyInfo, DER. */
      readonly publicKey: Uint8Array<ArrayBuffer>
      readonly notAfter: number
    }
  | undefined {
  const decoded = decodePem(pem)
  if (decoded?.label !== 'CERTIFICATE') return undefined
  try {
    const { subjectPublicKeyInfo, validity } = AsnConvert.parse(
      decoded.der,
      Certificate,
    ).tbsCertificate
    return {
      der: decoded.der,
      publicKey: new Uint8Array(AsnConvert.serialize(subjectPublicKeyInfo)),
      notAfter: validity.notAfter.getTime().getTime(),
    }
  } catch {
    // Not ASN.1, or not a certificate: either way not one.
    return undefined
  }
}

function nameOf(subject: Subject): Name {
  const parts = subject.organizations.map((value) => ({ type: organization, value }))
  if (subject.commonName !== undefined) parts.push({ type: commonName, value: subject.commonName })
  return new Name(
    parts.map(
      ({ type, value }) =>
        new RelativeDistinguishedName([
          new AttributeTypeAndValue({ type, value: new AttributeValue(directoryString(value)) }),
        ]),
    ),
  )
}

function directoryString(value: string): { printableString: string } | { utf8String: string } {
  return /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value)
    ? { printableString: value }
    : { utf8String: value }
}

/** 128 random bits, positive and never shorter than 16 bytes, which some parsers insist on. */
function serialNumber(random: Random): ArrayBuffer {
  const bytes = random.bytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.buffer
}

function extensionsOf(
  request: CertificateRequest,
  ca: TBSCertificate | undefined,
  random: Random,
): Extension[] {
  const usage = request.keyUsage.reduce((bits, name) => bits | KeyUsageFlags[name], 0)
  const purposes = request.extendedKeyUsage.map((name) => extendedUsages[name])
  const extensions = [
    extension(id_ce_keyUsage, new KeyUsage(usage), true),
    extension(id_ce_extKeyUsage, new ExtendedKeyUsage(purposes)),
  ]
  if (request.authority) {
    extensions.push(
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }), true),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(random.bytes(20).buffer)),
    )
  }
  const issuerKeyId = ca?.extensions?.find(({ extnID }) => extnID === id_ce_subjectKeyIdentifier)
  if (issuerKeyId !== undefined) {
    const { buffer } = AsnConvert.parse(issuerKeyId.extnValue, SubjectKeyIdentifier)
    extensions.push(
      extension(
        id_ce_authorityKeyIdentifier,
        new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(buffer) }),
      ),
    )
  }
  return extensions
}

function extension(extnID: string, value: object, critical = false): Extension {
  return new Extension({
    extnID,
    critical,
    extnValue: new OctetString(AsnConvert.serialize(value)),
  })
}
