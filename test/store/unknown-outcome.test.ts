import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveGit } from '../../src/sandbox/git/serve-git.ts'
import { afterTest, branch, git, makeInventory, makeRemote, makeStore } from './state-fixture.ts'

const inventory = makeInventory()

/** A hook of the remote that ends the connection: the pushing side learns nothing any more. */
async function makeDyingRemote(hook: 'pre-receive' | 'post-receive', script: string) {
  const remote = await makeRemote()
  await writeFile(join(remote, 'hooks', hook), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return remote
}

/** Dies once and lives afterwards. */
const once = '[ -e died ] || { touch died; kill -9 $PPID; }'

describe('a push whose answer never came', () => {
  it('is not done again when it had arrived', async () => {
    const remote = await makeDyingRemote('post-receive', once)
    const store = await makeStore({ remote })
    await store.update(() => ({ inventory }), 'Begin')
    await store.record({ fact: 'etcd-bootstrap-started' })
    expect(await git(remote, 'rev-list', '--count', branch)).toBe('2')
    expect((await store.read())?.manifest.generation).toBe(2)
  })

  it('is done again when it had not arrived', async () => {
    const remote = await makeDyingRemote('pre-receive', once)
    const store = await makeStore({ remote })
    await store.update(() => ({ inventory }), 'Begin')
    expect((await store.read())?.manifest.generation).toBe(1)
  })

  it('keeps the lock, which moved along', async () => {
    const remote = await makeRemote()
    const store = await makeStore({ remote })
    await store.lock({ waitMs: 0 })
    await writeFile(join(remote, 'hooks', 'post-receive'), `#!/bin/sh\n${once}\n`, { mode: 0o755 })
    await store.update(() => ({ inventory }), 'Begin')
    await store.record({ fact: 'etcd-bootstrap-started' })
    await store.close()
    expect(await git(remote, 'for-each-ref', '--format=%(refname)')).toBe(`refs/heads/${branch}`)
  })

  it('is found below what another writer has built upon it', async () => {
    const remote = await makeRemote()
    const [first, second] = [await makeStore({ remote }), await makeStore({ remote })]
    await first.update(() => ({ inventory }), 'Begin')
    await second.read()
    // Before the connection dies, the hook lets another commit of the same tree onto the branch.
    const build = `git commit-tree -p ${branch} -m Other '${branch}^{tree}'`
    const script = `[ -e died ] || { touch died; git update-ref refs/heads/${branch} $(${build}); kill -9 $PPID; }`
    await git(remote, 'config', 'user.name', 'other')
    await git(remote, 'config', 'user.email', 'other@localhost')
    await writeFile(join(remote, 'hooks', 'post-receive'), `#!/bin/sh\n${script}\n`, {
      mode: 0o755,
    })
    await second.record({ fact: 'etcd-bootstrapped' })
    expect((await first.read())?.journal).toHaveLength(1)
    expect(await git(remote, 'log', '-1', '--format=%s', branch)).toBe('Other')
  })

  it('ends as unreachable when the remote stays dead', async () => {
    const remote = await makeDyingRemote('pre-receive', 'kill -9 $PPID')
    const store = await makeStore({ remote })
    await expect(store.update(() => ({ inventory }), 'Begin')).rejects.toMatchObject({
      code: 'state-unreachable',
    })
  })

  it('is found out over HTTP as well', async () => {
    const remote = await makeRemote()
    let replies = 0
    const server = await serveGit({
      root: join(remote, '..'),
      users: { writer: { password: 'right-password', access: 'write' } },
      path: process.env['PATH'] ?? '',
      losesReply: () => ++replies % 2 === 1,
    })
    afterTest(() => server.close())
    const credentials = { username: 'writer', password: 'right-password' }
    const store = await makeStore({ remote: `${server.url}/state.git`, credentials })
    await store.update(() => ({ inventory }), 'Begin')
    await store.record({ fact: 'etcd-bootstrap-started' })
    expect((await store.read())?.journal).toHaveLength(1)
    expect(await git(remote, 'rev-list', '--count', branch)).toBe('2')
  })

  it('is found out over HTTP as well where it repairs upon a given head', async () => {
    const remote = await makeRemote()
    let lost = 0
    const server = await serveGit({
      root: join(remote, '..'),
      users: { writer: { password: 'right-password', access: 'write' } },
      path: process.env['PATH'] ?? '',
      losesReply: () => lost-- > 0,
    })
    afterTest(() => server.close())
    const credentials = { username: 'writer', password: 'right-password' }
    const store = await makeStore({ remote: `${server.url}/state.git`, credentials })
    const base = await store.update(() => ({ inventory }), 'Begin')
    const audit = await store.audit()
    lost = 1
    const options = { base, above: 0, fact: { fact: 'history-repaired' } } as const
    const repair = {
      ...{ reason: 'looked at', confirmed: '0'.repeat(64), base: 1, lost: null, accepted: [] },
    }
    expect(await store.repair(audit, { ...options, repair })).toMatchObject({
      manifest: { generation: 2 },
    })
    expect(lost).toBeLessThan(1)
    expect(await git(remote, 'rev-list', '--count', branch)).toBe('2')
    // Somebody else's push is one all the same.
    await store.record({ fact: 'secrets-minted' })
    expect(await store.repair(audit, { ...options, repair })).toBeUndefined()
    expect(await git(remote, 'rev-list', '--count', branch)).toBe('3')
  })

  it('is given up soon when the remote takes pushes and never answers', async () => {
    const remote = await makeDyingRemote('pre-receive', 'echo x >> pushes; sleep 60')
    const store = await makeStore({ remote, timeoutMs: 1_000 })
    await expect(store.update(() => ({ inventory }), 'Begin')).rejects.toMatchObject({
      code: 'state-unreachable',
      message: expect.stringContaining('answered neither'),
    })
    expect(await readFile(join(remote, 'pushes'), 'utf8')).toBe('x\nx\n')
  })
})
