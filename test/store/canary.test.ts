import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Redactor } from '../../src/lib/redactor.ts'
import { serveGit } from '../../src/sandbox/git/serve-git.ts'
import {
  afterTest,
  git,
  machineConfig,
  makeFolder,
  makeIdentity,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
} from './state-fixture.ts'

/** A PATH on which git also writes the arguments of itself and all its children into a folder. */
async function watchedGit(): Promise<{ path: string; log: string }> {
  const folder = await makeFolder()
  const [bin, log] = [join(folder, 'bin'), join(folder, 'log')]
  await mkdir(bin)
  await mkdir(log)
  const real = process.env['PATH'] ?? ''
  const script = `#!/bin/sh\nPATH='${real}' GIT_TRACE2_EVENT='${log}' exec git "$@"\n`
  await writeFile(join(bin, 'git'), script, { mode: 0o755 })
  return { path: `${bin}:${real}`, log }
}

async function contents(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

describe('secrets that pass through the store', () => {
  it('stand in no argument, commit message, file or object', async () => {
    const redactor = new Redactor()
    const remote = await makeRemote()
    const password = 'canary-password'
    const server = await serveGit({
      root: join(remote, '..'),
      users: { writer: { password, access: 'write' } },
      path: process.env['PATH'] ?? '',
    })
    afterTest(() => server.close())
    const identity = await makeIdentity(redactor)
    const watched = await watchedGit()
    const temporaryFolder = await makeFolder()
    const store = await makeStore({
      remote: `${server.url.replace('//', `//writer:${password}@`)}/state.git`,
      identities: [identity],
      redactor,
      temporaryFolder,
      environment: { ...process.env, PATH: watched.path, HCLOUD_TOKEN: 'canary-hcloud-token' },
    })
    await store.lock({ waitMs: 0 })
    redactor.add('canary-bundle-secret')
    await store.update(
      () => ({
        inventory: makeInventory(),
        secrets: secretsBundle,
        nodeConfigs: { 'demo-control-plane-1': machineConfig },
      }),
      'Mint canary-bundle-secret',
    )
    expect(await store.readSecrets()).toContain('canary-bundle-secret')
    const onDisk = await contents(temporaryFolder)
    await store.close()

    const argv = await contents(watched.log)
    expect(argv).toContain('fast-import')
    expect(argv).toContain('remote-http')
    const history = await git(remote, 'log', '-p', '--all', '--format=fuller')
    for (const place of [argv, onDisk, history, await contents(temporaryFolder)]) {
      expect(place).not.toContain('canary')
      expect(place).not.toContain(identity.secret)
    }
    expect(history).toContain('Mint ***')
    expect(redactor.redact('canary-machine-token')).toBe('canary-machine-token')
    await store.readNodeConfig('demo-control-plane-1')
    expect(redactor.redact('canary-machine-token')).toBe('***')
  })
})
