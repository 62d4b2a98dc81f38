import type { JsonObject } from '../../lib/json.ts'
import type { KubernetesObject } from '../../lib/kubernetes-object.ts'
import type { Random } from '../../lib/random.ts'

/** A token that a node joins with; a secret. */
export interface BootstrapToken {
  /** Six letters and digits: public. */
  readonly id: string
  /** Sixteen letters and digits. */
  readonly secret: string
}

/** 32 of them, so that each byte gives one and all are equally likely. */
const letters = 'abcdefghijklmnopqrstuvwxyz234567'
const [idLength, secretLength] = [6, 16]

export function mintToken(random: Random): BootstrapToken {
  const bytes = [...random.bytes(idLength + secretLength)]
  const text = bytes.map((byte) => letters.charAt(byte % letters.length)).join('')
  return { id: text.slice(0, idLength), secret: text.slice(idLength) }
}

/** The token as kubeadm takes it. */
export function tokenText({ id, secret }: BootstrapToken): string {
  return `${id}.${secret}`
}

export interface TokenLife {
  /** When it ends, in milliseconds since the epoch. */
  readonly expires: number
  /** Who made it, for people. */
  readonly description: string
}

const groups = ['system:bootstrappers:kubeadm:default-node-token']

/**
 * The Secret that makes a cluster accept a token. Nobody joins with it before the controller manager has signed
 * `cluster-info` in `kube-public` with it, under the key `jws-kubeconfig-<id>`.
 */
export function tokenSecret(
  token: BootstrapToken,
  { expires, description }: TokenLife,
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${token.id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    stringData: {
      'token-id': token.id,
      'token-secret': token.secret,
      expiration: new Date(expires).toISOString().replace(/\.\d+Z$/, 'Z'),
      'usage-bootstrap-authentication': 'true',
      'usage-bootstrap-signing': 'true',
      'auth-extra-groups': groups.join(','),
      description,
    },
  }
}

/**
 * The same as a field of an `InitConfiguration`. It always has one: with none, and with an empty list, kubeadm makes
 * a random one that is good for a day.
 */
export function tokensField(
  token: BootstrapToken,
  { minutes, description }: { readonly minutes: number; readonly description: string },
): JsonObject {
  return {
    bootstrapTokens: [
      {
        token: tokenText(token),
        ttl: `${minutes}m0s`,
        description,
        usages: ['signing', 'authentication'],
        groups,
      },
    ],
  }
}
