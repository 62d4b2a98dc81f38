import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../src/lib/error-codes.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { encryptSops } from '../../src/store/sops/encrypt-sops.ts'
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

/** A clone of a filled state branch in which a test can do damage. */
async function clonedState() {
  const remote = await makeRemote()
  const identities = [await makeIdentity()]
  const store = await makeStore({ remote, identities })
  const nodeConfigs = { 'demo-control-plane-1': machineConfig }
  await store.update(
    () => ({ inventory: makeInventory(), secrets: secretsBundle, nodeConfigs }),
    'Mint',
  )
  const clone = join(await makeFolder(), 'clone')
  await git(remote, 'clone', '--quiet', '--branch', branch, remote, clone)
  return { remote, identities, clone }
}

async function publish(clone: string) {
  await git(clone, 'add', '--all')
  await git(clone, 'commit', '--quiet', '--message', 'Damage')
  await git(clone, 'push', '--quiet', 'origin', branch)
}

async function write(path: string, content: string) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

const replaceIn = async (path: string, from: RegExp | string, to: string) =>
  writeFile(path, (await readFile(path, 'utf8')).replace(from, to))

const manifest = 'demo/manifest.json'

const damages: [string, ErrorCode, (clone: string) => Promise<unknown>][] = [
  ['its manifest is gone', 'state-file-missing', (clone) => rm(join(clone, manifest))],
  ['its signature is gone', 'state-unsigned', (clone) => rm(join(clone, 'demo/manifest.sig'))],
  [
    'its signature is no signature',
    'state-signature-wrong',
    (clone) => writeFile(join(clone, 'demo/manifest.sig'), 'trust me\n'),
  ],
  [
    'its manifest is no JSON',
    'state-signature-wrong',
    (clone) => writeFile(join(clone, manifest), '{'),
  ],
  [
    'its manifest was edited',
    'state-signature-wrong',
    (clone) => replaceIn(join(clone, manifest), '"cluster":"demo"', '"cluster":"prod"'),
  ],
  ['a file is gone', 'state-file-missing', (clone) => rm(join(clone, 'demo/secrets.sops.yaml'))],
  [
    'a file was changed',
    'state-file-changed',
    (clone) =>
      replaceIn(
        join(clone, 'demo/inventory.json'),
        '"bootstrapped": false',
        '"bootstrapped": true',
      ),
  ],
  [
    'a file was cut off',
    'state-file-changed',
    (clone) => writeFile(join(clone, 'demo/secrets.sops.yaml'), ''),
  ],
  [
    'a file was added',
    'state-file-misplaced',
    (clone) => write(join(clone, 'demo/nodes/extra.sops.yaml'), 'a: b\n'),
  ],
]

describe('a spoiled state branch', () => {
  it.each(damages)('stops when %s', async (_, code, damage) => {
    const { remote, identities, clone } = await clonedState()
    await damage(clone)
    await publish(clone)
    const before = await git(remote, 'rev-parse', branch)
    const store = await makeStore({ remote, identities })
    await expect(store.read()).rejects.toMatchObject({ code })
    await expect(
      store.update(() => ({ inventory: makeInventory() }), 'Write'),
    ).rejects.toMatchObject({ code })
    expect(await git(remote, 'rev-parse', branch)).toBe(before)
  })

  it('is not ours with foreign files at its root, and stays as it is', async () => {
    const remote = await makeRemote()
    const clone = join(await makeFolder(), 'clone')
    await git(remote, 'clone', '--quiet', remote, clone)
    await git(clone, 'checkout', '--quiet', '-b', branch)
    await write(join(clone, 'README.md'), 'my notes\n')
    await publish(clone)
    const before = await git(remote, 'rev-parse', branch)
    const store = await makeStore({ remote, identities: [await makeIdentity()] })
    const update = store.update(() => ({ inventory: makeInventory() }), 'Write')
    await expect(update).rejects.toMatchObject({ code: 'state-foreign' })
    expect(await git(remote, 'rev-parse', branch)).toBe(before)
  })

  it('is not ours with a folder that is not that of a cluster', async () => {
    const { remote, clone } = await clonedState()
    await write(join(clone, 'src/main.ts'), 'export {}\n')
    await publish(clone)
    const store = await makeStore({ remote })
    await expect(store.read()).rejects.toMatchObject({
      code: 'state-foreign',
      message: expect.stringContaining('src'),
    })
  })

  it.each([
    '::save-state name=access-folder::/home',
    'a\u001b[2Jb.json',
    'plans/a"b.json',
    'nodes/ab\nreset refs/heads/x\n.sops.yaml',
  ])('is not ours with a file that is named %j', async (name) => {
    const { remote, clone } = await clonedState()
    await write(join(clone, 'prod/manifest.json'), '{}')
    await write(join(clone, 'prod', name), '')
    await publish(clone)
    const store = await makeStore({ remote })
    await expect(store.read()).rejects.toMatchObject({ code: 'state-foreign' })
  })

  it('is not opened, nor its pattern tried, before anybody vouches for it', async () => {
    const { remote, clone, identities } = await clonedState()
    const recipients = identities.map(({ recipient }) => recipient)
    const options = { recipients, encryptedRegex: 'cluster', random: systemRandom, now: 0 }
    const long = `${'x'.repeat(40)}!`
    const text = await encryptSops([{ [long]: { a: 'b' } }], options)
    const path = join(clone, 'demo/secrets.sops.yaml')
    await writeFile(path, text.replace('encrypted_regex: cluster', 'encrypted_regex: (x+x+)+y'))
    await publish(clone)
    const store = await makeStore({ remote, identities })
    await expect(store.read()).rejects.toMatchObject({ code: 'state-file-changed' })
    const { problems } = await store.audit()
    expect(problems.map(({ error }) => error.code)).toEqual(['state-file-changed'])
  })

  it('is not read when more files are in its folder than any cluster has', async () => {
    const { remote, clone } = await clonedState()
    await mkdir(join(clone, 'demo/plans'), { recursive: true })
    const digests = Array.from({ length: 5_100 }, (_, at) => at.toString(16).padStart(64, '0'))
    for (const digest of digests) await writeFile(join(clone, `demo/plans/${digest}.json`), '{}')
    await publish(clone)
    const store = await makeStore({ remote })
    await expect(store.read()).rejects.toMatchObject({
      code: 'state-file-misplaced',
      message: expect.stringContaining('files in the folder'),
    })
  })

  it('is not parsed to say whom it is for, where nobody vouches for it', async () => {
    const remote = await makeRemote()
    const recipients = [await makeIdentity(), await makeIdentity()].map((each) => each.recipient)
    const writer = await makeStore({ remote, recipients })
    await writer.update(() => ({ inventory: makeInventory(), secrets: secretsBundle }), 'Mint')
    const reader = await makeStore({ remote, identities: [] })
    expect(reader.trust).toBe('nobody')
    expect((await reader.read())?.hasSecrets).toBe(true)
  })
})
