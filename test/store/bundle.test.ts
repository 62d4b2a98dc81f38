import { Encrypter } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { packFiles } from '../../src/lib/tar-archive.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import {
  git,
  machineConfig,
  makeIdentity,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
} from './state-fixture.ts'

const repository = 'shop/infra'
const fact = { fact: 'state-imported' } as const
const judge = () => {
  throw new Error('something is there')
}

async function bundled() {
  const [own, offline] = [await makeIdentity(), await makeIdentity()]
  const remote = await makeRemote()
  const options = { repository, recipients: [own.recipient, offline.recipient], identities: [own] }
  const store = await makeStore({ remote, ...options })
  const nodeConfigs = { 'demo-worker-1': machineConfig }
  const generation = await store.update(
    () => ({ inventory: makeInventory(), secrets: secretsBundle, nodeConfigs }),
    'Begin',
  )
  return { remote, own, offline, options, generation, bundle: await store.bundle(generation) }
}

describe('a recovery bundle', () => {
  it('holds no secret in plain, and opens for each recipient', async () => {
    const { bundle, own, offline, generation } = await bundled()
    expect(Buffer.from(bundle).includes('canary')).toBe(false)
    expect(Buffer.from(bundle).includes('inventory')).toBe(false)
    for (const identity of [own, offline]) {
      // The offline identity signs nothing: it believes whom the cluster file names.
      const store = await makeStore({
        remote: await makeRemote(),
        repository,
        identities: [identity],
        signers: [deriveSigningKey(own).signer],
      })
      const opened = await store.openBundle(bundle)
      expect([...opened.files.keys()].sort()).toEqual([...generation.files.keys()].sort())
    }
  })

  it('becomes the next generation on an empty branch, above what is remembered', async () => {
    const { bundle, options } = await bundled()
    const remote = await makeRemote()
    const store = await makeStore({ remote, ...options })
    const base = await store.openBundle(bundle)
    const restored = await store.restore(base, { above: 7, fact, judge })
    expect(restored.manifest).toMatchObject({ generation: 8, uid: base.manifest.uid })
    expect(await store.readSecrets()).toContain('canary-bundle-secret')
    expect(await store.readNodeConfig('demo-worker-1')).toContain('canary-machine-token')
    expect(await store.audit()).toMatchObject({ problems: [], begins: 8 })
  })

  it('never takes the place of what is there', async () => {
    const { bundle, options, remote } = await bundled()
    const store = await makeStore({ remote, ...options })
    const base = await store.openBundle(bundle)
    const before = await git(remote, 'for-each-ref')
    await expect(store.restore(base, { above: 0, fact, judge })).rejects.toThrow('is there')
    expect(await git(remote, 'for-each-ref')).toBe(before)
  })

  it('is refused when it is not one, was cut off, is for others, or of another cluster', async () => {
    const { bundle, own, options } = await bundled()
    const remote = await makeRemote()
    const store = await makeStore({ remote, ...options })
    const open = (bytes: Uint8Array) => store.openBundle(bytes)
    await expect(open(Buffer.from('hello'))).rejects.toMatchObject({ code: 'bundle-invalid' })
    await expect(open(bundle.subarray(0, bundle.length - 9))).rejects.toMatchObject({
      code: 'bundle-invalid',
    })
    const stranger = await makeStore({ remote, identities: [await makeIdentity()] })
    await expect(stranger.openBundle(bundle)).rejects.toMatchObject({ code: 'state-undecryptable' })
    const blind = await makeStore({ remote, identities: [] })
    await expect(blind.openBundle(bundle)).rejects.toMatchObject({ code: 'identity-missing' })
    const other = await makeStore({ remote, ...options, clusterName: 'other' })
    await expect(other.openBundle(bundle)).rejects.toMatchObject({ code: 'state-other-cluster' })
    const encrypter = new Encrypter()
    encrypter.addRecipient(own.recipient)
    const noArchive = await encrypter.encrypt('not an archive')
    await expect(open(noArchive)).rejects.toMatchObject({ code: 'bundle-invalid' })
  })

  it('is refused when somebody who knows a recipient made it up, or changed a file in it', async () => {
    const { own, options, generation } = await bundled()
    const remote = await makeRemote()
    const store = await makeStore({ remote, ...options })
    const forge = async (files: ReadonlyMap<string, Uint8Array>) => {
      const encrypter = new Encrypter()
      encrypter.addRecipient(own.recipient)
      const members = [...files].map(([path, content]) => ({ path: `demo/${path}`, content }))
      return await encrypter.encrypt(await packFiles(members))
    }
    const changed = new Map(generation.files).set('inventory.json', Buffer.from('{}'))
    await expect(store.openBundle(await forge(changed))).rejects.toMatchObject({
      code: 'state-file-changed',
    })
    const unsigned = new Map(generation.files)
    unsigned.delete('manifest.sig')
    await expect(store.openBundle(await forge(unsigned))).rejects.toMatchObject({
      code: 'state-unsigned',
    })
    const manifest = new Map(generation.files).set('manifest.json', Buffer.from('{}'))
    await expect(store.openBundle(await forge(manifest))).rejects.toMatchObject({
      code: 'state-signature-wrong',
    })
  })
})
