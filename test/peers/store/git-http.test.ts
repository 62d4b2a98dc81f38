import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveGit } from '../../../src/sandbox/git/serve-git.ts'
import {
  afterTest,
  branch,
  git,
  makeFolder,
  makeIdentity,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
} from '../../store/state-fixture.ts'

async function served() {
  const remote = await makeRemote()
  const server = await serveGit({
    root: join(remote, '..'),
    users: { writer: { password: 'right-password', access: 'write' } },
    path: process.env['PATH'] ?? '',
  })
  afterTest(() => server.close())
  const as = (password: string) => `${server.url.replace('//', `//writer:${password}@`)}/state.git`
  return { remote, as }
}

describe('git, as a person uses it, over HTTP', () => {
  it('clones the state, and what it pushes is read by us as damage, not as state', async () => {
    const { as } = await served()
    const identities = [await makeIdentity()]
    const store = await makeStore({ remote: as('right-password'), identities })
    await store.update(() => ({ inventory: makeInventory(), secrets: secretsBundle }), 'Mint')
    const clone = join(await makeFolder(), 'clone')
    await git(await makeFolder(), 'clone', '--quiet', '-b', branch, as('right-password'), clone)
    await writeFile(join(clone, 'demo', 'inventory.json'), '{}')
    await git(clone, 'commit', '--quiet', '--all', '--message', 'Edit by hand')
    await git(clone, 'push', '--quiet', 'origin', branch)
    await expect(store.read()).rejects.toMatchObject({ code: 'state-file-changed' })
  })

  it('cannot roll our branch back or overtake it by a plain push', async () => {
    const { remote, as } = await served()
    const store = await makeStore({ remote: as('right-password') })
    await store.update(() => ({ inventory: makeInventory() }), 'Begin')
    const clone = join(await makeFolder(), 'clone')
    await git(await makeFolder(), 'clone', '--quiet', '-b', branch, as('right-password'), clone)
    await store.record({ fact: 'secrets-minted' })
    await git(clone, 'commit', '--quiet', '--allow-empty', '--message', 'Late')
    await expect(git(clone, 'push', 'origin', branch)).rejects.toThrow('rejected')
    expect(await git(remote, 'rev-list', '--count', branch)).toBe('2')
  })

  it('is turned away with a wrong password, as we are', async () => {
    const { as } = await served()
    const list = git(await makeFolder(), '-c', 'credential.helper=', 'ls-remote', as('wrong'))
    await expect(list).rejects.toThrow('Authentication failed')
    const store = await makeStore({ remote: as('wrong-password') })
    await expect(store.read()).rejects.toMatchObject({ code: 'state-unreachable' })
    await expect(
      store.update(() => ({ inventory: makeInventory() }), 'Begin'),
    ).rejects.toMatchObject({ code: 'state-unreachable' })
  })
})
