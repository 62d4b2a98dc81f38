import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { generateHybridIdentity, generateX25519Identity } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { Redactor } from '../../../src/lib/redactor.ts'
import { parseIdentities } from '../../../src/store/identity.ts'
import { deriveSigningKey } from '../../../src/store/signing-key.ts'
import {
  branch,
  git,
  machineConfig,
  makeFolder,
  makeInventory,
  makeRemote,
  makeStore,
  secretsBundle,
} from '../../store/state-fixture.ts'
import { sopsProgram } from './store-peers.ts'

const page = await readFile(resolve(import.meta.dirname, '../../../docs/state-by-hand.md'), 'utf8')
const run = promisify(execFile)

/** The commands that the page has below a heading. */
function commandsOf(heading: string): string {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  return /```sh[^\n]*\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
}

/** Runs them in a clone of a state, as somebody would who has a key and none of our programs. */
async function byHand(kind: 'classic' | 'post-quantum') {
  const secret =
    kind === 'classic' ? await generateX25519Identity() : await generateHybridIdentity()
  const [identity] = await parseIdentities(secret, new Redactor())
  const remote = await makeRemote()
  const store = await makeStore({ remote, identities: [identity] })
  const nodeConfigs = { 'demo-control-plane-1': machineConfig }
  await store.update(
    () => ({ inventory: makeInventory(), secrets: secretsBundle, nodeConfigs }),
    'Begin',
  )
  const clone = join(await makeFolder(), 'clone')
  await git(remote, 'clone', '--quiet', '--branch', branch, remote, clone)
  await writeFile(join(clone, 'age-identity.txt'), `# mine\n${secret}\n`)
  const path = [kind === 'classic' ? dirname(await sopsProgram()) : '', process.env['PATH']]
  const env = { PATH: path.filter(Boolean).join(':'), HOME: clone }
  const shell = async (heading: string) =>
    (await run('bash', ['-euc', commandsOf(heading)], { cwd: clone, env })).stdout
  return { clone, shell, identity }
}

describe('the page about reading the state by hand', () => {
  it('opens the secrets and verifies signature and files', async () => {
    const { shell, clone } = await byHand('classic')
    expect(await shell('Read it')).toContain('canary-bundle-secret')
    expect(await shell('Check who wrote it')).toContain('Signature Verified Successfully')
    const checked = (await shell('Check the files')).trim().split('\n')
    expect(checked).toHaveLength(3)
    expect(checked.every((line) => line.endsWith(': OK'))).toBe(true)

    await writeFile(join(clone, 'demo/inventory.json'), '{}')
    await expect(shell('Check the files')).rejects.toThrow()
    await writeFile(join(clone, 'demo/manifest.json'), '{}')
    await expect(shell('Check who wrote it')).rejects.toThrow()
  })

  it.each(['classic', 'post-quantum'] as const)(
    'derives the signer of a %s identity',
    async (kind) => {
      const { shell, identity } = await byHand(kind)
      const { signer } = deriveSigningKey(identity)
      expect(await shell('Where the key comes from')).toContain(`${signer.slice(8)}=\n`)
    },
  )
})
