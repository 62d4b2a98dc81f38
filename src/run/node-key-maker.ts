import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  sign,
} from 'node:crypto'
import { promisify } from 'node:util'
import {
  ed25519KeyPem,
  type KeyKind,
  type KeyMaker,
  opensslKeyPem,
  type SigningKey,
} from '../lib/key-maker.ts'

const generate = promisify(generateKeyPair)

/** Keys by Node's own crypto. RSA is generated off the main thread. */
export const nodeKeyMaker: KeyMaker = { make, read }

async function make(kind: KeyKind): Promise<string> {
  switch (kind) {
    case 'ed25519': {
      const { privateKey } = await generate('ed25519')
      return ed25519KeyPem(pem(privateKey, 'pkcs8'))
    }
    case 'ecdsa-p256': {
      const { privateKey } = await generate('ec', { namedCurve: 'P-256' })
      return pem(privateKey, 'sec1')
    }
    case 'rsa-4096': {
      const { privateKey } = await generate('rsa', { modulusLength: 4096 })
      return pem(privateKey, 'pkcs1')
    }
  }
}

function read(text: string): SigningKey | undefined {
  const key = privateKeyOf(text)
  const algorithm = algorithmOf(key)
  if (key === undefined || algorithm === undefined) return undefined
  return {
    algorithm,
    publicKey: new Uint8Array(createPublicKey(key).export({ type: 'spki', format: 'der' })),
    // Ed25519 hashes by itself and refuses the name of a digest.
    sign: (data) => new Uint8Array(sign(algorithm === 'ed25519' ? null : 'sha256', data, key)),
  }
}

function privateKeyOf(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(opensslKeyPem(text))
  } catch {
    // The reason may quote the key, and the caller says what is wrong with more knowledge.
    return undefined
  }
}

function algorithmOf(key: KeyObject | undefined): SigningKey['algorithm'] | undefined {
  switch (key?.asymmetricKeyType) {
    case 'ed25519':
      return 'ed25519'
    case 'ec':
      return 'ecdsa'
    case 'rsa':
      return 'rsa'
    default:
      return undefined
  }
}

function pem(key: KeyObject, type: 'pkcs8' | 'sec1' | 'pkcs1'): string {
  return key.export({ type, format: 'pem' }).toString()
}
