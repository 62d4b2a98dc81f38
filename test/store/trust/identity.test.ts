import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { Redactor, redacted } from '../../../src/lib/redactor.ts'
import {
  ageFileRecipients,
  parseIdentities,
  stateRecipients,
} from '../../../src/store/trust/identity.ts'
import { deriveSigningKey } from '../../../src/store/trust/signing-key.ts'
import { ownIdentity } from '../../../src/store/trust/writing-identity.ts'
import { makeIdentity } from '../state-fixture.ts'

describe('age identities', () => {
  it('are read from a file of age-keygen, several of them, with their public halves', async () => {
    const secrets = [await generateX25519Identity(), await generateHybridIdentity()]
    const text = `# created: today\r\n# public key: age1…\r\n${secrets.join('\r\n\n')}\n`
    const identities = await parseIdentities(text, new Redactor())
    expect(identities.map(({ secret }) => secret)).toEqual(secrets)
    expect(identities.map(({ kind }) => kind)).toEqual(['classic', 'post-quantum'])
    expect(identities[0].recipient).toBe(await identityToRecipient(secrets[0] ?? ''))
  })

  it('are secrets from the moment they are read, also when they are broken', async () => {
    const redactor = new Redactor()
    const secret = await generateX25519Identity()
    // Another last character, whichever it was.
    const broken = `${secret.slice(0, -1)}${secret.endsWith('Z') ? 'Q' : 'Z'}`
    const read = parseIdentities(`# mine\n${broken}\n`, redactor)
    const error = await read.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'identity-invalid' })
    expect(String(error)).not.toContain(broken)
    expect(redactor.redact(broken)).toBe(redacted)
  })

  it.each(['', '# only a comment\n', 'age1publichalf\n', '-----BEGIN OPENSSH PRIVATE KEY-----\n'])(
    'are not %j',
    async (text) => {
      const read = parseIdentities(text, new Redactor())
      await expect(read).rejects.toMatchObject({ code: 'identity-invalid' })
    },
  )
})

const nobody = { own: undefined, isLeaving: false }

describe('the recipients of the state', () => {
  it('are those of the cluster file and ourselves, in one order', async () => {
    const [own, offline] = [await makeIdentity(), await makeIdentity()]
    const both = [own.recipient, offline.recipient].sort()
    const us = { own, isLeaving: false }
    expect(stateRecipients([offline.recipient], us)).toEqual(both)
    expect(stateRecipients([own.recipient, offline.recipient], us)).toEqual(both)
    expect(stateRecipients([], us)).toEqual([own.recipient])
  })

  it('are all of one kind, but for the time until a key of the other kind takes over', async () => {
    const own = await makeIdentity()
    const hybrid = await identityToRecipient(await generateHybridIdentity())
    expect(stateRecipients([hybrid], nobody)).toEqual([hybrid])
    expect(() => stateRecipients([hybrid], { own, isLeaving: false })).toThrow('side by side')
    expect(stateRecipients([hybrid], { own, isLeaving: true })).toEqual(
      [hybrid, own.recipient].sort(),
    )
    const { recipient } = await makeIdentity()
    expect(() => stateRecipients([hybrid, recipient], { own, isLeaving: true })).toThrow(
      'side by side',
    )
    // One age file never mixes them: the next key gets it.
    expect(ageFileRecipients([own.recipient, hybrid])).toEqual([hybrid])
    expect(ageFileRecipients([own.recipient, recipient])).toEqual([own.recipient, recipient])
  })

  it('do not take in an identity that signs nothing, such as an offline one', async () => {
    const [runs, offline] = [await makeIdentity(), await makeIdentity()]
    const signers = [deriveSigningKey(runs).signer]
    expect(ownIdentity(offline, signers)).toEqual({ own: undefined, isLeaving: false })
    expect(ownIdentity(runs, signers)).toEqual({ own: runs, isLeaving: false })
    expect(ownIdentity(runs, [...signers, 'hts1next'])).toEqual({ own: runs, isLeaving: true })
    expect(ownIdentity(offline, [])).toEqual({ own: offline, isLeaving: false })
  })

  it('are age recipients', async () => {
    for (const name of ['', 'age1short', 'ssh-ed25519 AAAA', await generateX25519Identity()]) {
      expect(() => stateRecipients([name], nobody)).toThrow('is not an age recipient')
    }
  })
})
