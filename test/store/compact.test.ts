import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  branch,
  git,
  makeFolder,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
} from './state-fixture.ts'

const fact = (head: string) => ({ fact: 'history-compacted', detail: { head } }) as const

async function written() {
  const remote = await makeRemote()
  const store = await makeStore({ remote })
  await store.update(() => ({ inventory: makeInventory(), secrets: secretsBundle }), 'Begin')
  const other = await makeStore({ remote, clusterName: 'other' })
  await other.update(() => ({ inventory: makeInventory('other', 'e'.repeat(16)) }), 'Begin')
  await store.record({ fact: 'secrets-minted' })
  return { remote, store, other }
}

const show = (remote: string, path: string) => git(remote, 'show', `${branch}:${path}`)

describe('a compacted state branch', () => {
  it('is one commit, which holds all clusters as they were and names the former head', async () => {
    const { remote, store, other } = await written()
    const former = await git(remote, 'rev-parse', branch)
    const [secrets, others] = [
      await show(remote, 'demo/secrets.sops.yaml'),
      await show(remote, 'other/manifest.json'),
    ]
    const generation = await store.compact(fact)
    expect(await git(remote, 'rev-list', '--count', branch)).toBe('1')
    expect(generation.manifest.generation).toBe(3)
    expect(generation.journal.at(-1)).toMatchObject(fact(former))
    expect(await show(remote, 'demo/secrets.sops.yaml')).toBe(secrets)
    expect(await show(remote, 'other/manifest.json')).toBe(others)
    expect(await store.audit()).toMatchObject({ problems: [], begins: 3, commits: 1 })
    expect(await other.audit()).toMatchObject({ problems: [], begins: 1 })
  })

  it('is gone on with by runs that knew the old one, with their locks', async () => {
    const { store, other, remote } = await written()
    await other.lock({ waitMs: 0 })
    const lock = await store.lock({ waitMs: 0 })
    await store.compact(fact)
    await other.record({ fact: 'secrets-minted' })
    await store.record({ fact: 'etcd-bootstrapped' })
    expect(await lock.isOurs()).toBe(true)
    expect((await store.audit()).problems).toEqual([])
    expect((await other.audit()).problems).toEqual([])
    expect(await git(remote, 'rev-list', '--count', branch)).toBe('3')
  })

  it('is not undone by somebody with an old clone, as far as a run has seen it', async () => {
    const { remote, store } = await written()
    const clone = join(await makeFolder(), 'clone')
    await git(remote, 'clone', '--quiet', '--branch', branch, remote, clone)
    await store.compact(fact)
    await expect(git(clone, 'push', '--quiet', 'origin', branch)).rejects.toThrow('rejected')
    await git(clone, 'push', '--quiet', '--force', 'origin', branch)
    await expect(store.read()).rejects.toMatchObject({ code: 'state-rolled-back' })
  })

  it('is made by whoever was first: a writer in between is not lost', async () => {
    const { remote, store, other } = await written()
    // The head that `store` knows is an old one by now.
    await other.record({ fact: 'secrets-minted' })
    const newest = await git(remote, 'rev-parse', branch)
    const { journal } = await store.compact(fact)
    expect(journal.at(-1)?.detail).toEqual({ head: newest })
    expect((await other.read())?.manifest.generation).toBe(2)
  })

  it('is told as a matter of rules where the repository takes no such push', async () => {
    const { remote, store } = await written()
    await git(remote, 'config', 'receive.denyNonFastForwards', 'true')
    const head = await git(remote, 'rev-parse', branch)
    await expect(store.compact(fact)).rejects.toMatchObject({
      code: 'state-push-refused',
      hint: expect.stringContaining('force-pushes'),
    })
    expect(await git(remote, 'rev-parse', branch)).toBe(head)
  })
})
