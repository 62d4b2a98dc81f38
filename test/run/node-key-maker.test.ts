import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type KeyKind, opensslKeyPem } from '../../src/lib/key-maker.ts'
import { nodeKeyMaker } from '../../src/run/node-key-maker.ts'

const labels: Record<KeyKind, string> = {
  ed25519: '-----BEGIN ED25519 PRIVATE KEY-----',
  'ecdsa-p256': '-----BEGIN EC PRIVATE KEY-----',
  'rsa-4096': '-----BEGIN RSA PRIVATE KEY-----',
}

describe.for(['ed25519', 'ecdsa-p256', 'rsa-4096'] as const)('a new %s key', (kind) => {
  test('has a label that names its kind, and signs what its public half verifies', async () => {
    const pem = await nodeKeyMaker.make(kind)
    expect(pem.split('\n')[0]).toBe(labels[kind])
    const key = nodeKeyMaker.read(pem)
    const data = Buffer.from('to be signed')
    const publicKey = createPublicKey(createPrivateKey(opensslKeyPem(pem)))
    const signature = key?.sign(data) ?? new Uint8Array()
    expect(verify(kind === 'ed25519' ? null : 'sha256', data, publicKey, signature)).toBe(true)
    if (kind === 'rsa-4096') expect(publicKey.asymmetricKeyDetails?.modulusLength).toBe(4096)
  })
})

test('what is no key, or of another kind, is undefined and not a failure', () => {
  expect(nodeKeyMaker.read('')).toBeUndefined()
  expect(
    nodeKeyMaker.read('-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n'),
  ).toBe(undefined)
})
