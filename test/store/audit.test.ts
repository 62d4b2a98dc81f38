import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StateStore } from '../../src/store/state-store.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import {
  branch,
  git,
  makeFolder,
  makeIdentity,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
} from './state-fixture.ts'

async function written() {
  const remote = await makeRemote()
  const store = await makeStore({ remote })
  await store.update(() => ({ inventory: makeInventory(), secrets: secretsBundle }), 'Begin')
  await store.record({ fact: 'secrets-minted' })
  await store.record({ fact: 'etcd-bootstrap-started' })
  return { remote, store }
}

const codesOf = async (store: StateStore) =>
  (await store.audit()).problems.map(({ error }) => error.code)

/** Works on the branch in a clone and pushes what is there then, by force. */
async function tamper(remote: string, work: (clone: string) => Promise<unknown>) {
  const clone = join(await makeFolder(), 'clone')
  await git(remote, 'clone', '--quiet', '--branch', branch, remote, clone)
  await work(clone)
  await git(clone, 'push', '--quiet', '--force', 'origin', `HEAD:${branch}`)
}

const commitAll = async (clone: string) => {
  await git(clone, 'add', '--all')
  await git(clone, 'commit', '--quiet', '--message', 'Innocent')
}

describe('a state branch that is verified from its beginning', () => {
  it('is whole over several clusters, lives and keys', async () => {
    const { remote, store } = await written()
    const other = await makeStore({ remote, clusterName: 'other' })
    await other.update(() => ({ inventory: makeInventory('other', 'e'.repeat(16)) }), 'Begin')
    await store.remove('Destroy')
    const again = makeInventory('demo', 'd'.repeat(16))
    await store.update(() => ({ inventory: again, secrets: secretsBundle }), 'Begin')
    expect(await store.audit()).toMatchObject({ commits: 6, problems: [], begins: 1 })
    expect(await other.audit()).toMatchObject({ problems: [], begins: 1 })
    const { generations } = await store.audit()
    expect(generations.map(({ manifest }) => manifest.generation)).toEqual([1, 2, 3, 1])
  })

  it('is whole over a rotation of its key, for whoever knows the keys of all epochs', async () => {
    const remote = await makeRemote()
    const [former, newer] = [await makeIdentity(), await makeIdentity()]
    const signers = [former, newer].map((identity) => deriveSigningKey(identity).signer)
    const recipients = [former.recipient, newer.recipient]
    const first = await makeStore({ remote, recipients, signers, identities: [former] })
    await first.update(() => ({ inventory: makeInventory() }), 'Begin')
    const second = await makeStore({ remote, recipients, signers, identities: [newer, former] })
    await second.record({ fact: 'secrets-minted' })
    expect((await second.read())?.manifest.keyEpoch).toBe(2)
    const blind = { remote, recipients, identities: [] }
    const reader = await makeStore({ ...blind, signers })
    expect((await reader.audit()).problems).toEqual([])
    const forgetful = await makeStore({ ...blind, signers: signers.slice(1) })
    expect(await codesOf(forgetful)).toEqual(['state-signer-unknown', 'state-epoch-unknown'])
    await expect(forgetful.read()).rejects.toMatchObject({ code: 'state-epoch-unknown' })
    await expect(first.record({ fact: 'destroy-started' })).rejects.toMatchObject({
      code: 'state-epoch-unknown',
    })
  })

  it('is verified from a mirror, with the signer alone, when the remote is away', async () => {
    const [identity, folder] = [await makeIdentity(), await makeFolder()]
    const remote = join(folder, 'anna', 'clusters.git')
    await git(folder, 'init', '--quiet', '--bare', remote)
    const signers = [deriveSigningKey(identity).signer]
    const store = await makeStore({ remote, signers, identities: [identity] })
    await store.update(() => ({ inventory: makeInventory(), secrets: secretsBundle }), 'Begin')
    await store.record({ fact: 'secrets-minted' })
    const mirror = join(await makeFolder(), 'anna', 'clusters.git')
    await git(folder, 'clone', '--quiet', '--mirror', remote, mirror)
    await rm(remote, { recursive: true })
    const reader = await makeStore({ remote: mirror, signers, identities: [] })
    expect(await reader.audit()).toMatchObject({ commits: 2, problems: [], begins: 1 })
  })

  it('tells of a generation that was dropped from its middle', async () => {
    const { remote, store } = await written()
    await tamper(remote, async (clone) => {
      const tree = await git(clone, 'rev-parse', 'HEAD^{tree}')
      const squashed = await git(clone, 'commit-tree', '-p', 'HEAD~2', '-m', 'Squash', tree)
      await git(clone, 'reset', '--quiet', '--hard', squashed)
    })
    expect(await codesOf(store)).toEqual(['state-chain-broken'])
  })

  it('tells of a former generation that was put on top', async () => {
    const { remote, store } = await written()
    await tamper(remote, async (clone) => {
      await git(clone, 'checkout', '--quiet', 'HEAD~1', '--', '.')
      await commitAll(clone)
    })
    expect(await codesOf(store)).toEqual(['state-rolled-back'])
    await expect(store.read()).rejects.toMatchObject({ code: 'state-rolled-back' })
  })

  it('tells of a cluster that was destroyed and put back', async () => {
    const { remote, store } = await written()
    await store.remove('Destroy')
    await tamper(remote, async (clone) => {
      await git(clone, 'checkout', '--quiet', 'HEAD~1', '--', '.')
      await commitAll(clone)
    })
    expect(await codesOf(store)).toEqual(['state-rolled-back'])
  })

  it('tells of a merge, and of a bad commit below a good one', async () => {
    const { remote, store } = await written()
    await tamper(remote, async (clone) => {
      const path = join(clone, 'demo/journal.json')
      const good = await readFile(path)
      await writeFile(path, '{}')
      await commitAll(clone)
      await writeFile(path, good)
      await commitAll(clone)
    })
    expect(await codesOf(store)).toEqual(['state-file-changed'])
    await store.read()
    await tamper(remote, async (clone) => {
      const tree = await git(clone, 'rev-parse', 'HEAD^{tree}')
      const parents = ['-p', 'HEAD', '-p', 'HEAD~1']
      const merge = await git(clone, 'commit-tree', ...parents, '-m', 'Merge', tree)
      await git(clone, 'reset', '--quiet', '--hard', merge)
    })
    expect(await codesOf(store)).toEqual(['state-file-changed', 'state-chain-broken'])
  })

  it('tells where its history begins when what came before was cut off', async () => {
    const { remote, store } = await written()
    await tamper(remote, async (clone) => {
      await git(clone, 'checkout', '--quiet', '--orphan', 'cut')
      await git(clone, 'commit', '--quiet', '--message', 'All of it')
    })
    expect(await store.audit()).toMatchObject({
      commits: 1,
      begins: 3,
      problems: [{ error: { code: 'state-chain-broken' } }],
      newest: { manifest: { generation: 3 } },
      isAtNewest: true,
    })
  })
})

describe('a run that sees the branch change under it', () => {
  it('does not write upon an older state, nor start over where it vanished', async () => {
    const { remote, store } = await written()
    const head = await git(remote, 'rev-parse', branch)
    await git(remote, 'update-ref', `refs/heads/${branch}`, `${head}~1`)
    const back = store.record({ fact: 'etcd-bootstrapped' })
    await expect(back).rejects.toMatchObject({ code: 'state-rolled-back' })
    expect(await git(remote, 'rev-parse', branch)).toBe(await git(remote, 'rev-parse', `${head}~1`))

    await git(remote, 'update-ref', '-d', `refs/heads/${branch}`)
    const inventory = { ...makeInventory(), bootstrapped: true }
    const again = store.update(() => ({ inventory }), 'Write')
    await expect(again).rejects.toMatchObject({ code: 'state-missing' })
    expect(await git(remote, 'for-each-ref')).toBe('')
  })

  it('does not follow another past that ends in the same generation', async () => {
    const { remote, store } = await written()
    const head = await git(remote, 'rev-parse', branch)
    await git(remote, 'update-ref', `refs/heads/${branch}`, `${head}~1`)
    const twin = await makeStore({ remote })
    await twin.record({ fact: 'destroy-started' })
    await expect(store.read()).rejects.toMatchObject({ code: 'state-chain-broken' })
    await twin.record({ fact: 'destroy-started' })
    await expect(store.read()).rejects.toMatchObject({ code: 'state-chain-broken' })
  })

  it('stops at a file of the branch that is gone', async () => {
    const { remote, store } = await written()
    await tamper(remote, async (clone) => {
      await rm(join(clone, 'demo/secrets.sops.yaml'))
      await commitAll(clone)
    })
    await expect(store.record({ fact: 'etcd-bootstrapped' })).rejects.toMatchObject({
      code: 'state-file-missing',
      target: 'demo/secrets.sops.yaml',
    })
  })
})
