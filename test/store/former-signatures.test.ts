import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Manifest, manifestBytes } from '../../src/store/files/manifest.ts'
import type { AgeIdentity } from '../../src/store/trust/identity.ts'
import { signatureFile } from '../../src/store/trust/signature-file.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import {
  branch,
  git,
  makeFolder,
  makeIdentity,
  makeInventory,
  makeRemote,
  makeStore,
} from './state-fixture.ts'

/** A cluster of three generations that was destroyed and made again, and whose key was rotated since. */
async function rotated() {
  const remote = await makeRemote()
  const [former, present] = [await makeIdentity(), await makeIdentity()]
  const signers = [former, present].map((identity) => deriveSigningKey(identity).signer)
  const recipients = [former.recipient, present.recipient]
  const first = await makeStore({ remote, recipients, signers, identities: [former] })
  await first.update(() => ({ inventory: makeInventory() }), 'Begin')
  for (let each = 0; each < 5; each++) await first.record({ fact: 'secrets-minted' })
  await first.remove('Destroy')
  await first.update(() => ({ inventory: makeInventory('demo', 'd'.repeat(16)) }), 'Begin')
  const store = await makeStore({ remote, recipients, signers, identities: [present, former] })
  const { manifest } = await store.update(() => ({ facts: [{ fact: 'secrets-minted' }] }), 'Write')
  return { remote, former, present, store, manifest }
}

async function push(remote: string, work: (clone: string) => Promise<unknown>) {
  const clone = join(await makeFolder(), 'clone')
  await git(remote, 'clone', '--quiet', '--branch', branch, remote, clone)
  await work(clone)
  await git(clone, 'add', '--all')
  await git(clone, 'commit', '--quiet', '--message', 'Innocent')
  await git(clone, 'push', '--quiet', 'origin', branch)
}

/** Puts a manifest on the branch that somebody signs, whatever is in it. */
const sign = (remote: string, identity: AgeIdentity, manifest: Uint8Array) =>
  push(remote, async (clone) => {
    await writeFile(join(clone, 'demo/manifest.json'), manifest)
    const signature = signatureFile(deriveSigningKey(identity), manifest)
    await writeFile(join(clone, 'demo/manifest.sig'), signature)
  })

const claim = (manifest: Manifest, more: Partial<Manifest>) =>
  manifestBytes({ ...manifest, ...more })

describe('how far signatures go', () => {
  it('is asked of the cluster that is there, and not of one that was destroyed', async () => {
    const { remote, store } = await rotated()
    await push(remote, (clone) => writeFile(join(clone, 'README.md'), '# State\n'))
    expect(await store.audit()).toMatchObject({
      newest: { manifest: { generation: 2 } },
      signedUpTo: { generation: 2, keyEpoch: 2 },
    })
  })

  it('is not moved by a former key, and is by the present one', async () => {
    const { remote, store, former, present, manifest } = await rotated()
    const far = claim(manifest, { generation: 2_000_000_000, keyEpoch: 1 })
    await sign(remote, former, far)
    expect((await store.audit()).signedUpTo).toEqual({ generation: 2, keyEpoch: 2 })
    await sign(remote, present, claim(manifest, { generation: 9, files: [] }))
    expect((await store.audit()).signedUpTo).toEqual({ generation: 9, keyEpoch: 2 })
  })

  it('has an end: a number that cannot be counted on from is not read', async () => {
    const { remote, store, present, manifest } = await rotated()
    await sign(remote, present, claim(manifest, { generation: Number.MAX_SAFE_INTEGER }))
    const { problems, signedUpTo } = await store.audit()
    expect(problems.map(({ error }) => error.code)).toEqual(['state-manifest-unreadable'])
    expect(signedUpTo?.generation).toBe(2)
  })
})

it('what a former key signed and nobody reads is of no newer version', async () => {
  const { remote, store, former, present } = await rotated()
  await sign(remote, former, Buffer.from('{}'))
  expect(await store.audit()).toMatchObject({
    problems: [{ error: { code: 'state-manifest-unreadable' } }],
    isPartlyUnreadable: false,
  })
  await sign(remote, present, Buffer.from('{}'))
  expect(await store.audit()).toMatchObject({ isPartlyUnreadable: true })
})

it('a former key begins no cluster again in the place of one that was taken off', async () => {
  const { remote, store, former, manifest } = await rotated()
  await push(remote, (clone) => rm(join(clone, 'demo'), { recursive: true }))
  const uid = 'a'.repeat(16)
  const thief = await makeStore({ remote, recipients: [former.recipient], identities: [former] })
  await thief.update(() => ({ inventory: makeInventory('demo', uid) }), 'Begin')
  expect(await store.audit()).toMatchObject({
    problems: [{ error: { code: 'state-rolled-back' } }],
    newest: undefined,
    ended: { manifest: { uid: manifest.uid, generation: 2 } },
    signedUpTo: { generation: 2, keyEpoch: 2 },
  })
})
