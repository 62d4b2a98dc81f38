import { execFile } from 'node:child_process'
import { hkdfSync } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { generateHybridIdentity, generateX25519Identity } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { Redactor } from '../../../src/lib/redactor.ts'
import { type AgeIdentity, parseIdentities } from '../../../src/store/trust/identity.ts'
import { deriveSigningKey } from '../../../src/store/trust/signing-key.ts'
import {
  git,
  machineConfig,
  makeFolder,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
} from '../../store/state-fixture.ts'
import { agePrograms, oldestAge, sopsProgram } from './store-peers.ts'

const page = await readFile(resolve(import.meta.dirname, '../../../docs/state-by-hand.md'), 'utf8')
const run = promisify(execFile)

/** The commands that the page has below a heading. */
function commandsOf(heading: string): string {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  return /```sh[^\n]*\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
}

type Shell = 'bash' | 'dash'

/** Runs them in a clone of a repository, as somebody would who has a key and none of our programs. */
async function byHand(kind: 'classic' | 'post-quantum', shell: Shell = 'bash') {
  const secret =
    kind === 'classic' ? await generateX25519Identity() : await generateHybridIdentity()
  const [identity] = await parseIdentities(secret, new Redactor())
  const remote = await makeRemote()
  const store = await makeStore({ remote, identities: [identity] })
  const nodeConfigs = { 'demo-control-plane-1': machineConfig }
  const generation = await store.update(
    () => ({ inventory: makeInventory(), secrets: secretsBundle, nodeConfigs }),
    'Begin',
  )
  const bundle = await store.bundle(generation)
  const folder = await makeFolder()
  const clone = join(folder, 'clone')
  await git(folder, 'clone', '--quiet', remote, clone)
  await writeFile(join(clone, 'age-identity.txt'), `# mine\n${secret}\n`)
  await writeFile(join(clone, 'demo-recovery.tar.age'), bundle)
  const sops = kind === 'classic' ? dirname(await sopsProgram()) : ''
  const env = (age = '') => ({
    PATH: [sops, age, process.env['PATH']].filter(Boolean).join(':'),
    HOME: clone,
  })
  const type = async (line: string, age?: string) =>
    (await run(shell, ['-euc', line], { cwd: clone, env: env(age) })).stdout
  return { folder, type, identity, section: (heading: string) => type(commandsOf(heading)) }
}

/** Every file below a folder with its content, git's own apart. */
async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/.git/'))
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const)),
  )
}

/** What nobody but the holder of the identity may know, in every form in which a file could have it. */
function secretsOf(identity: AgeIdentity): Buffer[] {
  const seed = Buffer.from(
    hkdfSync('sha256', identity.secret, '', 'hcloud-talos/signing-key/v1', 32),
  )
  const forms = (bytes: Buffer) =>
    ['base64', 'hex'].map((form) => Buffer.from(bytes.toString(form === 'hex' ? 'hex' : 'base64')))
  return [
    Buffer.from(identity.secret),
    seed,
    ...forms(seed),
    ...['canary-bundle-secret', 'canary-machine-token'].map((text) => Buffer.from(text)),
  ]
}

describe.each(['bash', 'dash'] as const)(
  'the page about reading the state by hand, in %s',
  (shell) => {
    it('opens the secrets, verifies signature and files, and leaves nothing secret behind', async () => {
      const { folder, section, identity } = await byHand('classic', shell)
      const before = [...(await filesBelow(folder)).keys()]
      expect(await section('Read it')).toContain('canary-bundle-secret')
      expect(await section('Check who wrote it')).toContain('Signature Verified Successfully')
      const checked = (await section('Check the files')).trim().split('\n')
      expect(checked).toHaveLength(3)
      expect(checked.every((line) => line.endsWith(': OK'))).toBe(true)
      expect(await section('Where the key comes from')).toContain(
        `${deriveSigningKey(identity).signer.slice(8)}=\n`,
      )
      const holding = [...(await filesBelow(folder))]
        .filter(([, content]) => secretsOf(identity).some((secret) => content.includes(secret)))
        .map(([path]) => path)
      expect(holding).toEqual([join(folder, 'clone/age-identity.txt')])

      const state = join(folder, 'demo-state/demo')
      await writeFile(join(state, 'inventory.json'), '{}')
      await expect(section('Check the files')).rejects.toThrow()
      await writeFile(join(state, 'manifest.json'), '{}')
      await expect(section('Check who wrote it')).rejects.toThrow()
      await section('Put it away')
      expect([...(await filesBelow(folder)).keys()]).toEqual(before)
    })

    it.each([oldestAge, 'v1.3.2'])('opens a bundle with age %s', async (version) => {
      const { folder, type } = await byHand('classic', shell)
      const [, line = ''] = /it is `(age -d [^`]+)` instead/.exec(page) ?? []
      await type(`mkdir ../demo-state; ${line}`, await agePrograms(version))
      const manifest = await readFile(join(folder, 'demo-state/demo/manifest.json'), 'utf8')
      expect(JSON.parse(manifest)).toMatchObject({ cluster: 'demo', generation: 1 })
    })

    it('derives the signer of a post-quantum identity', async () => {
      const { section, identity } = await byHand('post-quantum', shell)
      const { signer } = deriveSigningKey(identity)
      expect(await section('Where the key comes from')).toContain(`${signer.slice(8)}=\n`)
    })
  },
)
