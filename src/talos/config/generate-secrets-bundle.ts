import type { Random } from '../../lib/random.ts'
import { encodeBase64 } from './base64.ts'
import { createAuthority, type PkiEnvironment } from './certificate-authority.ts'
import type { SecretsBundle } from './secrets-bundle.ts'

const tokenAlphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

/**
 * A new secrets bundle, as `talosctl gen secrets` makes one for Talos 1.7 and later. Takes seconds,
 * since the service account key is RSA 4096. Store it before anything uses it.
 */
export async function generateSecretsBundle(environment: PkiEnvironment): Promise<SecretsBundle> {
  const { random, keys } = environment
  // Started first: it runs on another thread while the rest is made.
  const serviceAccountKey = keys.make('rsa-4096')
  const authority = (kind: 'ed25519' | 'ecdsa-p256', organizations: string[]) =>
    createAuthority(kind, { organizations }, environment)
  const certs = {
    etcd: await authority('ecdsa-p256', ['etcd']),
    k8s: await authority('ecdsa-p256', ['kubernetes']),
    // Its subject is empty in talosctl's own bundles too.
    k8sAggregator: await authority('ecdsa-p256', []),
    os: await authority('ed25519', ['talos']),
    k8sServiceAccount: { key: await serviceAccountKey },
  }
  return {
    cluster: {
      id: encodeBase64(random.bytes(32)).replaceAll('+', '-').replaceAll('/', '_'),
      secret: encodeBase64(random.bytes(32)),
    },
    secrets: {
      bootstrapToken: token(random),
      secretboxEncryptionSecret: encodeBase64(random.bytes(32)),
    },
    trustdInfo: { token: token(random) },
    certs,
  }
}

/** `abcdef.0123456789abcdef`, each character equally likely. */
function token(random: Random): string {
  return `${tokenPart(random, 6)}.${tokenPart(random, 16)}`
}

function tokenPart(random: Random, length: number): string {
  const unbiased = 256 - (256 % tokenAlphabet.length)
  let part = ''
  while (part.length < length) {
    for (const byte of random.bytes(length - part.length)) {
      if (byte < unbiased) part += tokenAlphabet.charAt(byte % tokenAlphabet.length)
    }
  }
  return part
}
