import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastFact } from '../../src/store/files/journal.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import {
  branch,
  git,
  machineConfig,
  makeFolder,
  makeIdentity,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
} from './state-fixture.ts'

const inventory = makeInventory()

async function filled() {
  const remote = await makeRemote()
  const identities = [await makeIdentity()]
  const store = await makeStore({ remote, identities })
  await store.update(
    () => ({
      inventory,
      secrets: secretsBundle,
      nodeConfigs: { 'demo-control-plane-1': machineConfig },
    }),
    'Mint the secrets',
  )
  return { remote, identities, store }
}

describe('the state of a cluster', () => {
  it('is undefined where there is no branch yet', async () => {
    const store = await makeStore({ remote: await makeRemote() })
    expect(await store.read()).toBeUndefined()
    expect(await store.readSecrets()).toBeUndefined()
    expect(store.head).toBeUndefined()
  })

  it('comes back as it was written, for another process with the identity', async () => {
    const { remote, identities, store } = await filled()
    const plan = { digest: 'x', changes: [] }
    await store.update(() => ({ plans: { ['a'.repeat(64)]: plan } }), 'Record the plan')
    await store.record({ fact: 'etcd-bootstrap-started', node: 'demo-control-plane-1' })

    const other = await makeStore({ remote, identities })
    const generation = await other.read()
    expect(generation?.inventory).toMatchObject(inventory)
    expect(generation?.manifest.generation).toBe(3)
    expect(generation?.plans).toEqual(new Map([['a'.repeat(64), plan]]))
    expect(generation?.nodeConfigs).toEqual(['demo-control-plane-1'])
    const started = lastFact(generation?.journal ?? [], 'etcd-bootstrap-started')
    expect(started).toMatchObject({ node: 'demo-control-plane-1', run: 'run-1' })
    expect(await other.readSecrets()).toBe(secretsBundle)
    expect(await other.readNodeConfig('demo-control-plane-1')).toBe(machineConfig)
    expect(await other.readNodeConfig('demo-workers-1')).toBeUndefined()
  })

  it('shows what is public to a run without an identity, and says what is missing for the rest', async () => {
    const { remote } = await filled()
    const store = await makeStore({ remote, identities: [] })
    expect(store.trust).toBe('nobody')
    const generation = await store.read()
    expect(generation?.hasSecrets).toBe(true)
    expect(generation?.inventory).toMatchObject(inventory)
    await expect(store.readSecrets()).rejects.toMatchObject({ code: 'identity-missing' })
    await expect(
      store.update(() => ({ nodeConfigs: { 'demo-workers-1': machineConfig } }), 'Write'),
    ).rejects.toMatchObject({ code: 'identity-missing' })
  })

  it('names the recipients to whoever has the wrong identity', async () => {
    const { remote, identities } = await filled()
    const signers = identities.map((identity) => deriveSigningKey(identity).signer)
    const recipients = identities.map(({ recipient }) => recipient)
    const other = [await makeIdentity()]
    const store = await makeStore({ remote, signers, recipients, identities: other })
    await expect(store.readSecrets()).rejects.toMatchObject({
      code: 'state-undecryptable',
      message: expect.stringContaining(identities[0]?.recipient ?? '?'),
    })
  })

  it('does not grow when nothing differs', async () => {
    const { remote, store } = await filled()
    const before = await git(remote, 'rev-parse', branch)
    const again = await store.update(
      () => ({
        inventory,
        secrets: secretsBundle,
        nodeConfigs: { 'demo-control-plane-1': machineConfig },
      }),
      'Again',
    )
    expect(again.manifest.generation).toBe(1)
    expect(await git(remote, 'rev-parse', branch)).toBe(before)
  })

  it('chains its generations', async () => {
    const { remote, store } = await filled()
    const manifest = await git(remote, 'show', `${branch}:demo/manifest.json`)
    const next = await store.update(
      () => ({ inventory: { ...inventory, bootstrapped: true } }),
      'Note the bootstrap',
    )
    const hash = createHash('sha256').update(manifest).digest('hex')
    expect(next.manifest.previous).toBe(hash)
    expect(await git(remote, 'rev-list', '--count', branch)).toBe('2')
    expect(await git(remote, 'log', '-1', '--format=%s', branch)).toBe('Note the bootstrap')
  })

  it('never puts other secrets in the place of those of a cluster', async () => {
    const { store } = await filled()
    const other = secretsBundle.replace('canary', 'other')
    await expect(store.update(() => ({ secrets: other }), 'Mint')).rejects.toThrow(
      'has secrets already',
    )
    expect(await store.readSecrets()).toBe(secretsBundle)
  })

  it('drops the config of a node that went', async () => {
    const { store } = await filled()
    const next = await store.update(
      () => ({ nodeConfigs: { 'demo-control-plane-1': undefined } }),
      'Forget it',
    )
    expect(next.nodeConfigs).toEqual([])
    expect(await store.readNodeConfig('demo-control-plane-1')).toBeUndefined()
  })

  it('keeps secret leaves from readers of the branch and shows them the rest', async () => {
    const { remote } = await filled()
    const config = await git(remote, 'show', `${branch}:demo/nodes/demo-control-plane-1.sops.yaml`)
    expect(config).toContain('hostname: demo-control-plane-1')
    expect(config).toContain('kind: RegistryAuthConfig')
    const everything = await git(remote, 'log', '-p', '--all')
    expect(everything).not.toContain('canary')
  })

  it('shares its branch with other clusters', async () => {
    const { remote, identities, store } = await filled()
    const other = await makeStore({ remote, identities, clusterName: 'other' })
    expect(await other.read()).toBeUndefined()
    const otherInventory = makeInventory('other', 'fedcba9876543210')
    await other.update(() => ({ inventory: otherInventory, secrets: secretsBundle }), 'Mint')
    expect((await store.read())?.inventory).toMatchObject(inventory)
    await store.remove('Destroyed')
    expect(await store.read()).toBeUndefined()
    expect((await other.read())?.inventory).toMatchObject(otherInventory)
    await other.remove('Destroyed')
    expect(await other.read()).toBeUndefined()
  })

  it('encrypts everything for a recipient that joined, and knows who was named when it did', async () => {
    const { remote, identities } = await filled()
    const [own] = identities
    const offline = await makeIdentity()
    const signers = own ? [deriveSigningKey(own).signer] : []
    const recipients = [own?.recipient ?? '', offline.recipient]
    const joined = await makeStore({ remote, identities, signers, recipients })
    await joined.record({ fact: 'secrets-minted' })
    await joined.update(() => ({ secrets: secretsBundle }), 'Write')
    const second = await makeStore({ remote, identities: [offline], signers, recipients })
    expect(await second.readSecrets()).toBe(secretsBundle)
    expect(await second.readNodeConfig('demo-control-plane-1')).toBe(machineConfig)
    // Whoever was taken out of the file since then is no stranger, and opens nothing that is written from now on.
    const reviewed = await makeStore({
      remote,
      identities,
      signers,
      recipients: recipients.slice(0, 1),
    })
    const generation = await reviewed.read()
    expect(generation?.inventory.recipients).toEqual([...recipients].sort())
    if (generation) expect(reviewed.isSealedForToday(generation)).toBe(false)
    await reviewed.update(() => ({ reseal: true }), 'Encrypt again')
    await expect(second.read().then(() => second.readSecrets())).rejects.toMatchObject({
      code: 'state-undecryptable',
    })
  })

  it('refuses a recipient that no cluster file named', async () => {
    const remote = await makeRemote()
    const identities = [await makeIdentity(), await makeIdentity(), await makeIdentity()]
    const [own, other, third] = identities
    if (!own || !other || !third) throw new Error('three identities')
    // Its own identity is a recipient besides those of the file, and is not written down as one of them.
    const signers = [deriveSigningKey(own).signer]
    const writer = await makeStore({ remote, identities: [own], signers, recipients: [] })
    await writer.update(() => ({ inventory, secrets: secretsBundle }), 'Mint')
    const unnamed = await makeStore({ remote, identities: [other], signers, recipients: [] })
    await expect(unnamed.read()).rejects.toMatchObject({ code: 'state-recipients' })
    // A run without an identity cannot know the recipient of the runs: one may be that.
    const keyless = await makeStore({ remote, signers, identities: [], recipients: [] })
    expect((await keyless.read())?.inventory.recipients).toEqual([])
  })

  it('works from a clone without history, by the name of its remote', async () => {
    const { remote, identities, store } = await filled()
    await store.record({ fact: 'secrets-minted' })
    const folder = await makeFolder()
    const clone = join(folder, 'clone')
    await git(
      folder,
      'clone',
      '--quiet',
      '--depth=1',
      '--branch',
      branch,
      `file://${remote}`,
      clone,
    )
    const shallow = await makeStore({ remote: 'origin', folder: clone, identities })
    await shallow.record({ fact: 'etcd-bootstrapped' })
    expect((await store.read())?.manifest.generation).toBe(3)
    expect(await git(remote, 'rev-list', '--count', branch)).toBe('3')
    expect(await git(clone, 'status', '--short')).toBe('')
  })

  it('leaves nothing behind on the disk', async () => {
    const remote = await makeRemote()
    const temporaryFolder = await makeFolder()
    const store = await makeStore({ remote, temporaryFolder, identities: [await makeIdentity()] })
    await store.update(() => ({ inventory, secrets: secretsBundle }), 'Mint')
    expect(await readdir(temporaryFolder)).toHaveLength(1)
    await store.close()
    expect(await readdir(temporaryFolder)).toEqual([])
  })
})
