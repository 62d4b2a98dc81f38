import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { branch, git, makeInventory, makeStore } from '../store/state-fixture.ts'
import { makeGithub, refusePushes } from '../store/transports.ts'

const inventory = makeInventory()

async function makeRefusing(token?: string) {
  const github = await makeGithub(token)
  await writeFile(join(github.remote, 'hooks', 'pre-receive'), refusePushes, { mode: 0o755 })
  return github
}

describe('publishing by the API of GitHub', () => {
  it('is not tried while pushes are taken', async () => {
    const { remote, world, api } = await makeGithub()
    const store = await makeStore({ remote, api })
    await store.lock({ waitMs: 0 })
    await store.update(() => ({ inventory }), 'Begin')
    await store.close()
    expect(world.requests).toEqual([])
  })

  it('makes commits of GitHub’s own, with our files and messages', async () => {
    const { remote, api } = await makeRefusing()
    const store = await makeStore({ remote, api })
    await store.update(() => ({ inventory }), 'Begin')
    expect(await git(remote, 'log', '--format=%cn %s', branch)).toBe('GitHub Begin')
    expect(await git(remote, 'ls-tree', '-r', '--name-only', branch)).toBe(
      'demo/inventory.json\ndemo/manifest.json\ndemo/manifest.sig',
    )
  })

  it('is refused for want of a right, which is named', async () => {
    const { remote, api } = await makeRefusing('reader')
    const store = await makeStore({ remote, api })
    await expect(store.update(() => ({ inventory }), 'Begin')).rejects.toMatchObject({
      code: 'state-push-refused',
      hint: expect.stringContaining('contents: write'),
    })
    await expect(store.lock({ waitMs: 0 })).rejects.toMatchObject({ code: 'state-push-refused' })
  })

  it('goes on when GitHub is away for a moment, and ends when it stays away', async () => {
    const { remote, world, api } = await makeRefusing()
    const store = await makeStore({ remote, api })
    world.faults.inject({ kind: 'unavailable', front: 'github', times: 2 })
    world.faults.inject({ kind: 'drop-before', front: 'github', route: 'POST /graphql' })
    await store.update(() => ({ inventory }), 'Begin')
    world.faults.inject({ kind: 'unavailable', front: 'github', times: 500 })
    await expect(store.record({ fact: 'secrets-minted' })).rejects.toMatchObject({
      code: 'state-unreachable',
    })
    world.faults.clear()
    await store.record({ fact: 'etcd-bootstrapped' })
    expect((await store.read())?.journal.map(({ fact }) => fact)).toEqual(['etcd-bootstrapped'])
  })
})
