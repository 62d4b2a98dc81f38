import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Redactor, redacted } from '../../../src/lib/redactor.ts'
import { resolveRemote } from '../../../src/store/git/resolve-remote.ts'
import { git, makeFolder, makeInventory, makeRemote, makeStore } from '../state-fixture.ts'

const inventory = makeInventory()

const resolve = (remote: string, folder: string, redactor = new Redactor()) =>
  resolveRemote(remote, { folder, redactor, environment: process.env })

describe('the remote of the state', () => {
  it('is the one that the repository at hand calls by that name', async () => {
    const remote = await makeRemote()
    const clone = join(await makeFolder(), 'clone')
    await git(remote, 'clone', '--quiet', remote, clone)
    expect(await resolve('origin', clone)).toEqual({ url: remote })
  })

  it('may be named by an address of any kind', async () => {
    const folder = await makeFolder()
    for (const url of [
      'https://example.com/x.git',
      'git@example.com:a/x.git',
      'file:///a/x.git',
      '/a/x',
    ]) {
      expect(await resolve(url, folder)).toEqual({ url })
    }
    expect(await resolve('../x.git', folder)).toEqual({ url: join(folder, '..', 'x.git') })
  })

  it('has no password in its address, which would show in arguments and messages', async () => {
    const redactor = new Redactor()
    const folder = await makeFolder()
    expect(await resolve('https://me:p%40ssword-1@example.com/x.git', folder, redactor)).toEqual({
      url: 'https://example.com/x.git',
      credentials: { username: 'me', password: 'p@ssword-1' },
    })
    expect(redactor.redact('p@ssword-1')).toBe(redacted)
    expect(await resolve('https://ghs_sometoken@example.com/x.git', folder)).toEqual({
      url: 'https://example.com/x.git',
      credentials: { username: 'x-access-token', password: 'ghs_sometoken' },
    })
  })

  it('is unreachable under a name that nobody gave it', async () => {
    await expect(resolve('upstream', await makeFolder())).rejects.toMatchObject({
      code: 'state-unreachable',
      target: 'upstream',
    })
  })

  it.each(['--upload-pack=touch ran', '-uran', 'ext::sh -c touch% ran', '--exec=touch ran'])(
    'runs nothing, whatever its address says: %s',
    async (remote) => {
      const folder = await makeFolder()
      await git(folder, 'init', '--quiet')
      const opened = () => openedAt(remote, folder)
      await expect(opened().then((store) => store.read())).rejects.toMatchObject({
        code: 'state-unreachable',
      })
      const write = opened().then((store) => store.update(() => ({ inventory }), 'Begin'))
      await expect(write).rejects.toThrow()
      expect(await readdir(folder)).not.toContain('ran')
      expect(await readdir(process.cwd())).not.toContain('ran')
    },
  )
})

/** A store at any address, for somebody whose own settings let git run everything. */
async function openedAt(remote: string, folder: string) {
  const settings = join(await makeFolder(), 'gitconfig')
  await writeFile(settings, '[protocol "ext"]\n  allow = always\n')
  const environment = { ...process.env, GIT_CONFIG_GLOBAL: settings }
  return makeStore({ remote, folder, environment, timeoutMs: 5_000 })
}
