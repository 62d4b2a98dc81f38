import { describe, expect, it } from 'vitest'
import { branch, git, makeInventory, makeRemote, makeStore } from './state-fixture.ts'

/** A branch that is none of ours. */
async function addBranch(remote: string, name: string): Promise<void> {
  const tree = await git(remote, 'hash-object', '-t', 'tree', '-w', '/dev/null')
  const commit = await git(remote, 'commit-tree', '-m', 'Other', tree)
  await git(remote, 'update-ref', `refs/heads/${name}`, commit)
}

describe('a branch in whose place ours would be', () => {
  it.each([`${branch}-lock`, `${branch}-lock/demo/old`])(
    '%s blocks the lock, and is reported as that',
    async (name) => {
      const remote = await makeRemote()
      await addBranch(remote, name)
      const store = await makeStore({ remote })
      await expect(store.lock({ waitMs: 0 })).rejects.toMatchObject({
        code: 'state-ref-blocked',
        message: `the branch ${branch}-lock/demo cannot be created, as the branch ${name} takes its place`,
        hint: expect.stringContaining(`Rename or delete the branch ${name}`),
      })
    },
  )

  it.each(['state', 'state/cluster/old'])('%s blocks the state branch likewise', async (name) => {
    const remote = await makeRemote()
    await addBranch(remote, name)
    const store = await makeStore({ remote, branch: 'state/cluster' })
    const write = store.update(() => ({ inventory: makeInventory() }), 'Begin')
    await expect(write).rejects.toMatchObject({
      code: 'state-ref-blocked',
      message: `the branch state/cluster cannot be created, as the branch ${name} takes its place`,
    })
  })

  it.each([`${branch}-lock/demo2`, `${branch}-loc`, `other/${branch}-lock`])(
    '%s is in nobody’s way',
    async (name) => {
      const remote = await makeRemote()
      await addBranch(remote, name)
      const store = await makeStore({ remote })
      const lock = await store.lock({ waitMs: 0 })
      expect(lock.record.owner.run).toBe('run-1')
    },
  )
})
