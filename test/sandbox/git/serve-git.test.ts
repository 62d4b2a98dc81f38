import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveGit } from '../../../src/sandbox/git/serve-git.ts'
import {
  afterTest,
  branch,
  git,
  makeInventory,
  makeRemote,
  makeStore,
} from '../../store/state-fixture.ts'

async function served() {
  const remote = await makeRemote()
  const server = await serveGit({
    root: join(remote, '..'),
    users: {
      writer: { password: 'write:password', access: 'write' },
      reader: { password: 'read-password', access: 'read' },
    },
    path: process.env['PATH'] ?? '',
  })
  afterTest(() => server.close())
  return { remote, url: `${server.url}/state.git` }
}

describe('git over HTTP', () => {
  it('takes the state of whoever may write, and gives it to whoever may read', async () => {
    const { remote, url } = await served()
    const credentials = { username: 'writer', password: 'write:password' }
    const store = await makeStore({ remote: url, credentials })
    await store.lock({ waitMs: 0 })
    await store.update(() => ({ inventory: makeInventory() }), 'Begin')
    await store.close()
    expect(await git(remote, 'for-each-ref', '--format=%(refname)')).toBe(`refs/heads/${branch}`)
    const reader = { username: 'reader', password: 'read-password' }
    const other = await makeStore({ remote: url, credentials: reader })
    expect((await other.read())?.inventory).toEqual(makeInventory())
    await expect(other.record({ fact: 'secrets-minted' })).rejects.toMatchObject({
      code: 'state-push-refused',
      hint: expect.stringContaining('contents: write'),
    })
  })

  it('turns away a wrong password and no password, without asking for one', async () => {
    const { url } = await served()
    const wrong = { username: 'writer', password: 'wrong-password' }
    for (const store of [
      await makeStore({ remote: url, credentials: wrong }),
      await makeStore({
        remote: url,
        environment: { PATH: process.env['PATH'], HOME: '/nowhere' },
      }),
    ]) {
      await expect(store.read()).rejects.toMatchObject({
        code: 'state-unreachable',
        hint: expect.stringContaining('token'),
      })
    }
  })
})
