import { createHash, hkdfSync } from 'node:crypto'
import { generateHybridIdentity, generateX25519Identity } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { Redactor } from '../../src/lib/redactor.ts'
import { repositoryName } from '../../src/store/repository-name.ts'
import { type AgeIdentity, parseIdentities } from '../../src/store/trust/identity.ts'
import { parseSignature, signatureFile } from '../../src/store/trust/signature-file.ts'
import { deriveSigningKey, isSignedBy } from '../../src/store/trust/signing-key.ts'
import { createStateTrust } from '../../src/store/trust/state-trust.ts'

const identityOf = async (secret: string): Promise<AgeIdentity> => {
  const [identity] = await parseIdentities(secret, new Redactor())
  return identity
}
const manifest = Buffer.from('{"generation":1}')
const missing = () => new Error('missing')

describe('the signing key of an identity', () => {
  it('is always the same one, and is this one', () => {
    const { signer, sign } = deriveSigningKey({ secret: 'AGE-SECRET-KEY-1EXAMPLE' })
    expect(signer).toBe(deriveSigningKey({ secret: 'age-secret-key-1example' }).signer)
    const info = 'hcloud-talos/signing-key/v1'
    const seed = Buffer.from(hkdfSync('sha256', 'AGE-SECRET-KEY-1EXAMPLE', '', info, 32))
    expect(createHash('sha256').update(seed).digest('hex')).toMatchInlineSnapshot(
      `"290371be65140dd6bc2c1340256405dd91903dbfce682411f2114752d32a8cbb"`,
    )
    expect(signer).toMatchInlineSnapshot(`"hts1ora0qIUqDh81SMc6c/manNk33rs0BIgZWCGAJysgAsPWYVg"`)
    expect(Buffer.from(sign(manifest)).toString('base64')).toMatchInlineSnapshot(
      `"LB9O9FaCmadwMzGptpQeBlW3h49dQt2JpJ5TF6BXSF/9VvOautnZebyruW2/ZruUDZhVttLxZ7W4eGkBArzUCQ=="`,
    )
  })

  it('is another for each identity of either kind', async () => {
    const secrets = [await generateX25519Identity(), await generateHybridIdentity()]
    const [classic, hybrid] = secrets.map((secret) => deriveSigningKey({ secret }))
    if (!classic || !hybrid) throw new Error('two')
    expect(classic.signer).not.toBe(hybrid.signer)
    for (const key of [classic, hybrid]) {
      expect(isSignedBy(key.signer, manifest, key.sign(manifest))).toBe(true)
      expect(isSignedBy(key.signer, Buffer.from('{}'), key.sign(manifest))).toBe(false)
    }
    expect(isSignedBy(hybrid.signer, manifest, classic.sign(manifest))).toBe(false)
    expect(isSignedBy('hts1', manifest, classic.sign(manifest))).toBe(false)
  })

  it.each(['', 'hts1', 'hts1 AA==\n', '{}'])('does not take %j for a signature', (text) => {
    expect(parseSignature(Buffer.from(text))).toBeUndefined()
  })
})

describe('whom a run believes', () => {
  it('are those whom the file names, each for its own epoch', async () => {
    const [a, b, c] = await Promise.all(
      [1, 2, 3].map(async () => identityOf(await generateX25519Identity())),
    )
    if (!a || !b || !c) throw new Error('three')
    const [keyA, keyB, keyC] = [a, b, c].map(deriveSigningKey)
    if (!keyA || !keyB || !keyC) throw new Error('three')
    const named = [keyA.signer, keyB.signer]
    const trust = createStateTrust(named, [])
    expect(trust.kind).toBe('named')
    expect(trust.verify(manifest, signatureFile(keyA, manifest), 'x')).toBe(keyA.signer)
    expect(() => trust.verify(manifest, signatureFile(keyC, manifest), 'x')).toThrow('not name')
    trust.verifyEpoch(1, keyA.signer, 'x')
    trust.verifyEpoch(2, keyB.signer, 'x')
    expect(() => trust.verifyEpoch(2, keyA.signer, 'x')).toThrow('not that of its signer')
    expect(() => trust.verifyEpoch(3, keyB.signer, 'x')).toThrow('knows 2 epochs')

    // During a rotation a run has both identities, and writes as the newer.
    const rotating = createStateTrust(named, [a, b])
    expect(rotating.signingKey(1, 'x', missing)).toMatchObject({ epoch: 2 })
    // Afterwards whoever has only the former one cannot write any more.
    const late = createStateTrust(named, [a])
    expect(late.signingKey(1, 'x', missing)).toMatchObject({ epoch: 1 })
    expect(() => late.signingKey(2, 'x', missing)).toThrow('of epoch 2 already')
    expect(() => createStateTrust(named, [c]).signingKey(1, 'x', missing)).toThrow('does not name')
    expect(() => trust.signingKey(1, 'x', missing)).toThrow('missing')
  })

  it('are its own identities where the file names nobody, and nobody without any', async () => {
    const [own, other] = [
      await identityOf(await generateX25519Identity()),
      await identityOf(await generateX25519Identity()),
    ]
    const [ownKey, otherKey] = [deriveSigningKey(own), deriveSigningKey(other)]
    const derived = createStateTrust([], [own])
    expect(derived.kind).toBe('derived')
    derived.verify(manifest, signatureFile(ownKey, manifest), 'x')
    const theirs = signatureFile(otherKey, manifest)
    expect(() => derived.verify(manifest, theirs, 'x')).toThrow('not the identity of this run')
    const nobody = createStateTrust([], [])
    expect(nobody.kind).toBe('nobody')
    nobody.verify(manifest, theirs, 'x')
    expect(() => nobody.verify(Buffer.from('{}'), theirs, 'x')).toThrow('not genuine')
  })
})

describe('the name of a repository', () => {
  it.each([
    'https://github.com/Org/Repo',
    'https://token@github.com/org/repo.git',
    'ssh://git@github.com:22/org/repo.git/',
    'git@github.com:org/repo.git',
    'git@github-work:org/repo',
    'file:///srv/git/org/repo.git',
    '/srv/git/org/repo',
  ])('is the same by %s', (url) => {
    expect(repositoryName(url)).toBe('org/repo')
  })
})
