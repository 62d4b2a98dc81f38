import type { Clock } from '../../lib/clock.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { KeyKind, KeyMaker } from '../../lib/key-maker.ts'
import type { Random } from '../../lib/random.ts'
import {
  createCertificate,
  type Issuer,
  readCertificate,
  reissueCertificate,
  type Subject,
} from './certificate.ts'

/** A certificate and its private key, both as PEM texts. */
export interface CertificateAndKey {
  readonly crt: string
  readonly key: string
}

/** What making keys and certificates takes from outside. The clock must be that of the wall: other
 * people's TLS stacks compare it with the certificates. */
export interface PkiEnvironment {
  readonly clock: Clock
  readonly random: Random
  readonly keys: KeyMaker
}

const hour = 3_600_000
/** Ten years, as talosctl gives: Talos has no rotation of its own that would renew it. */
const authorityLifetime = 87_600 * hour
/** How far back a client certificate reaches, for a node whose clock is a little behind. */
const clockTolerance = 10_000

/** A self-signed CA as `talosctl gen secrets` makes it. */
export async function createAuthority(
  kind: KeyKind,
  subject: Subject,
  { clock, random, keys }: PkiEnvironment,
): Promise<CertificateAndKey> {
  const pem = await keys.make(kind)
  const key = keys.read(pem)
  if (key === undefined) throw new Error(`the key maker cannot read its own ${kind} key`)
  const now = clock.now()
  const request = {
    subject,
    publicKey: key.publicKey,
    notBefore: now,
    notAfter: now + authorityLifetime,
    keyUsage: ['digitalSignature', 'keyCertSign'],
    extendedKeyUsage: ['serverAuth', 'clientAuth'],
    authority: true,
  } as const
  return { crt: createCertificate(request, { key }, random), key: pem }
}

/** The same authority, good for ten years from now; what somebody else signed stays as it is. */
export function reissueAuthority<
  T extends { readonly crt: string; readonly key?: string | undefined },
>(ca: T, { clock, random, keys }: PkiEnvironment): T {
  const key = ca.key === undefined ? undefined : keys.read(ca.key)
  const now = clock.now()
  const dates = { notBefore: now, notAfter: now + authorityLifetime }
  const crt = key && reissueCertificate(ca.crt, dates, { key, random })
  return crt === undefined ? ca : { ...ca, crt }
}

export interface ClientCertificateOptions {
  readonly subject: Subject
  readonly kind: KeyKind
  readonly keyUsage: readonly ('digitalSignature' | 'keyEncipherment')[]
  /** How long it is good for, in hours from now. */
  readonly hours: number
}

/**
 * A client certificate signed by `ca`, which may hold an Ed25519, EC or RSA key. Its only extended
 * usage is clientAuth: apid compares the list for equality. Throws `secrets-invalid` when the CA
 * cannot be read.
 */
export async function createClientCertificate(
  ca: CertificateAndKey,
  options: ClientCertificateOptions,
  { clock, random, keys }: PkiEnvironment,
): Promise<CertificateAndKey> {
  const pem = await keys.make(options.kind)
  const key = keys.read(pem)
  if (key === undefined) throw new Error(`the key maker cannot read its own ${options.kind} key`)
  const now = clock.now()
  const request = {
    subject: options.subject,
    publicKey: key.publicKey,
    notBefore: now - clockTolerance,
    notAfter: now + options.hours * hour,
    keyUsage: options.keyUsage,
    extendedKeyUsage: ['clientAuth'],
    authority: false,
  } as const
  return { crt: createCertificate(request, issuerOf(ca, keys), random), key: pem }
}

function issuerOf(ca: CertificateAndKey, keys: KeyMaker): Issuer {
  const key = keys.read(ca.key)
  const certificate = readCertificate(ca.crt)
  if (key === undefined || certificate === undefined) {
    throw new ClusterError(
      'secrets-invalid',
      'a certificate authority of the cluster is unreadable',
      {
        operation: 'sign a client certificate',
        hint: 'Restore the secrets bundle from an earlier generation of the state branch.',
      },
    )
  }
  return { key, certificate: certificate.der }
}
