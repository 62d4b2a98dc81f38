import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { tokenSecret, tokenText } from '../../../src/kubeadm/config/bootstrap-token.ts'
import { caCertHashes } from '../../../src/kubeadm/config/ca-cert-hash.ts'
import { mintJoinMaterial } from '../../../src/kubeadm/config/join-material.ts'
import { seededRandom } from '../../../src/lib/random.ts'
import { issueCertificate, issueKey } from '../../../src/sandbox/pki.ts'

describe('What hosts join with', () => {
  it('is minted of random bytes alone, in the forms that kubeadm takes', () => {
    const [one, again, other] = [1, 1, 2].map((seed) => mintJoinMaterial(seededRandom(seed)))
    expect(one).toEqual(again)
    expect(one).not.toEqual(other)
    expect(one && tokenText(one.token)).toMatch(/^[a-z0-9]{6}\.[a-z0-9]{16}$/)
    expect(one?.certificateKey).toMatch(/^[0-9a-f]{64}$/)
  })

  it('is a Secret that ends by itself', () => {
    const secret = tokenSecret(
      { id: 'abcdef', secret: '0123456789abcdef' },
      { expires: Date.UTC(2026, 10, 30, 6), description: 'joins of one run' },
    )
    expect(secret).toMatchObject({
      metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: { expiration: '2026-11-30T06:00:00Z', 'usage-bootstrap-signing': 'true' },
    })
  })

  it('pins each authority by its public key, as OpenSSL reads it', () => {
    const subject = { commonName: 'kubernetes' }
    const issuer = issueKey('p256', { subject, ca: true })
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const pems = [issuer.crt, issueCertificate({ subject, key: rsa, issuer, ca: true })]
    const expected = pems.map((pem) => {
      const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
      return `sha256:${createHash('sha256').update(key).digest('hex')}`
    })
    expect(caCertHashes(pems.join('\n'))).toEqual(expected)
    expect(caCertHashes('no certificate')).toEqual([])
  })
})
