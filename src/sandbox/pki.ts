import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
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
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'

/** A certificate and its key, both PEM. */
export interface CertifiedKey {
  readonly crt: string
  readonly key: string
}

interface Subject {
  readonly commonName?: string
  /** One relative distinguished name for each, as Talos's and Kubernetes's own certificates have it. */
  readonly organizations?: readonly string[]
}

export interface CertificateOptions {
  readonly subject: Subject
  /** Whose certificate it is: a private or public key. */
  readonly key: KeyObject
  /** Who signs; the key itself where absent. */
  readonly issuer?: CertifiedKey
  readonly ca?: boolean
  readonly usages?: readonly ('serverAuth' | 'clientAuth')[]
  readonly dnsNames?: readonly string[]
  readonly ipAddresses?: readonly string[]
  /** Lifetime in milliseconds, counted from a minute before `now`. A day where absent. */
  readonly lifetimeMs?: number
  /** Milliseconds since the epoch; the wall clock where absent, since TLS stacks use that one. */
  readonly now?: number
}

/** A new private key: Ed25519 or ECDSA over P-256. */
export function generateKey(kind: 'ed25519' | 'p256'): KeyObject {
  return kind === 'ed25519'
    ? generateKeyPairSync('ed25519').privateKey
    : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

/**
 * Reads a private key in PEM, also under the label `ED25519 PRIVATE KEY` that Talos writes and
 * OpenSSL does not know. Throws where it is none.
 */
export function readPrivateKey(pem: string): KeyObject {
  return createPrivateKey(pem.replaceAll('ED25519 PRIVATE KEY', 'PRIVATE KEY'))
}

/** PKCS#8 in PEM, which every TLS stack reads. */
export function writePrivateKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** A new key of this kind and a certificate for it. */
export function issueKey(
  kind: 'ed25519' | 'p256',
  options: Omit<CertificateOptions, 'key'>,
): CertifiedKey {
  const key = generateKey(kind)
  return { crt: issueCertificate({ ...options, key }), key: writePrivateKey(key) }
}

/** An X.509 v3 certificate in PEM. */
export function issueCertificate(options: CertificateOptions): string {
  const now = options.now ?? Date.now()
  const publicKey = options.key.type === 'private' ? createPublicKey(options.key) : options.key
  const signer = options.issuer === undefined ? options.key : readPrivateKey(options.issuer.key)
  const algorithm = signatureAlgorithm(signer)
  const subject = writeName(options.subject)
  const notBefore = wholeSeconds(now - 60_000)
  const tbs = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature: algorithm,
    issuer: options.issuer === undefined ? subject : readCertificate(options.issuer.crt).subject,
    validity: new Validity({
      notBefore,
      notAfter: wholeSeconds(notBefore.getTime() + (options.lifetimeMs ?? 86_400_000)),
    }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(
      publicKey.export({ type: 'spki', format: 'der' }),
      SubjectPublicKeyInfo,
    ),
    extensions: new Extensions(extensions(options, publicKey)),
  })
  const body = AsnConvert.serialize(tbs)
  const hash = signer.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  const signature = sign(hash, Buffer.from(body), signer)
  const certificate = new Certificate({
    tbsCertificate: tbs,
    signatureAlgorithm: algorithm,
    signatureValue: new Uint8Array(signature).buffer,
  })
  return writePem('CERTIFICATE', Buffer.from(AsnConvert.serialize(certificate)))
}

function extensions(options: CertificateOptions, publicKey: KeyObject): Extension[] {
  const { ca = false, usages = [], dnsNames = [], ipAddresses = [] } = options
  const flags = KeyUsageFlags.digitalSignature | (ca ? KeyUsageFlags.keyCertSign : 0)
  const list = [extension(id_ce_keyUsage, new KeyUsage(flags), true)]
  if (usages.length > 0) {
    const ids = { serverAuth: id_kp_serverAuth, clientAuth: id_kp_clientAuth }
    list.push(extension(id_ce_extKeyUsage, new ExtendedKeyUsage(usages.map((use) => ids[use]))))
  }
  if (ca) {
    list.push(extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }), true))
    list.push(extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyId(publicKey))))
  }
  const authority = options.issuer && authorityKeyId(options.issuer.crt)
  if (authority !== undefined) {
    const keyIdentifier = new KeyIdentifier(authority)
    const value = new AuthorityKeyIdentifier({ keyIdentifier })
    list.push(extension(id_ce_authorityKeyIdentifier, value))
  }
  const names = [
    ...dnsNames.map((dNSName) => new GeneralName({ dNSName })),
    ...ipAddresses.map((iPAddress) => new GeneralName({ iPAddress })),
  ]
  if (names.length > 0)
    list.push(extension(id_ce_subjectAltName, new SubjectAlternativeName(names)))
  return list
}

function extension(extnID: string, value: object, critical = false): Extension {
  return new Extension({
    extnID,
    critical,
    extnValue: new OctetString(AsnConvert.serialize(value)),
  })
}

function writeName({ commonName, organizations = [] }: Subject): Name {
  const attributes: [string, string][] = organizations.map((text) => ['2.5.4.10', text])
  if (commonName !== undefined) attributes.push(['2.5.4.3', commonName])
  return new Name(
    attributes.map(
      ([type, utf8String]) =>
        new RelativeDistinguishedName([
          new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String }) }),
        ]),
    ),
  )
}

function signatureAlgorithm(key: KeyObject): AlgorithmIdentifier {
  if (key.asymmetricKeyType === 'ed25519')
    return new AlgorithmIdentifier({ algorithm: '1.3.101.112' })
  if (key.asymmetricKeyType === 'ec') {
    return new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' })
  }
  return new AlgorithmIdentifier({ algorithm: '1.2.840.113549.1.1.11', parameters: null })
}

function readCertificate(pem: string): TBSCertificate {
  return AsnConvert.parse(new X509Certificate(pem).raw, Certificate).tbsCertificate
}

function authorityKeyId(pem: string): ArrayBuffer | undefined {
  const found = readCertificate(pem).extensions?.find(
    ({ extnID }) => extnID === id_ce_subjectKeyIdentifier,
  )
  return found && AsnConvert.parse(found.extnValue.buffer, SubjectKeyIdentifier).buffer
}

function keyId(publicKey: KeyObject): ArrayBuffer {
  const digest = createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
  return new Uint8Array(digest).buffer
}

function serialNumber(): ArrayBuffer {
  const bytes = new Uint8Array(randomBytes(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes.buffer
}

function wholeSeconds(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / 1_000) * 1_000)
}

function writePem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

/** What tells an authority, however often its certificate was issued: its public key. A text that is no certificate tells itself. */
export function publicKeyText(pem: string): string {
  try {
    const { publicKey } = new X509Certificate(pem)
    return publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  } catch {
    return pem
  }
}

/** Whether a certificate that somebody shows is within its dates. */
export function isInForce(
  { valid_from: from, valid_to: to }: { readonly valid_from: string; readonly valid_to: string },
  now: number,
): boolean {
  return Date.parse(from) <= now && now <= Date.parse(to)
}
