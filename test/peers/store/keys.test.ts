import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { AgeIdentity } from '../../../src/store/trust/identity.ts'
import { deriveSigningKey } from '../../../src/store/trust/signing-key.ts'
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
} from '../../store/state-fixture.ts'
import { agePrograms, sopsProgram } from './store-peers.ts'

const run = promisify(execFile)
const config = 'demo/nodes/demo-control-plane-1.sops.yaml'

/** A state that was handed over from one identity to another, in a clone. */
async function handedOver() {
  const [former, next, offline] = [await makeIdentity(), await makeIdentity(), await makeIdentity()]
  const remote = await makeRemote()
  const signersOf = (...identities: readonly AgeIdentity[]) =>
    identities.map((identity) => deriveSigningKey(identity).signer)
  const first = await makeStore({
    remote,
    recipients: [former.recipient, offline.recipient],
    signers: signersOf(former),
    identities: [former],
  })
  const nodeConfigs = { 'demo-control-plane-1': machineConfig }
  await first.update(
    () => ({ inventory: makeInventory(), secrets: secretsBundle, nodeConfigs }),
    'Begin',
  )
  const second = await makeStore({
    remote,
    recipients: [next.recipient, offline.recipient],
    signers: signersOf(former, next),
    identities: [former, next],
    dropsRecipients: true,
  })
  const generation = await second.update(
    () => ({ reseal: true, facts: [{ fact: 'keys-rotated' }] }),
    'Rotate',
  )
  const bundle = await second.bundle(generation)
  const clone = join(await makeFolder(), 'clone')
  await git(remote, 'clone', '--quiet', '--branch', branch, remote, clone)
  return { clone, former, next, offline, bundle }
}

async function sops(clone: string, { secret }: AgeIdentity, path: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: clone, SOPS_AGE_KEY: secret }
  return (await run(await sopsProgram(), ['-d', path], { cwd: clone, env })).stdout
}

describe('sops and age after a rotation', () => {
  it('open every file with each of the new recipients, and none with the former one', async () => {
    const { clone, former, next, offline } = await handedOver()
    for (const identity of [next, offline]) {
      expect(await sops(clone, identity, 'demo/secrets.sops.yaml')).toContain(
        'canary-bundle-secret',
      )
      expect(await sops(clone, identity, config)).toContain('canary-machine-token')
    }
    await expect(sops(clone, former, 'demo/secrets.sops.yaml')).rejects.toThrow()
  })

  it('find what was written before in the history, with the former key', async () => {
    const { clone, former } = await handedOver()
    await git(clone, 'checkout', '--quiet', 'HEAD~1')
    expect(await sops(clone, former, 'demo/secrets.sops.yaml')).toContain('canary-bundle-secret')
  })

  it('open a bundle as the page says', async () => {
    const { clone, offline, bundle } = await handedOver()
    const page = await readFile(resolve(import.meta.dirname, '../../../docs/keys.md'), 'utf8')
    const [, line = ''] = /```sh[^\n]*\n(age -d [^\n]*)\n```/.exec(page) ?? []
    const folder = await makeFolder()
    await writeFile(join(folder, 'demo-recovery.tar.age'), bundle)
    await writeFile(join(folder, 'age-identity.txt'), `${offline.secret}\n`)
    const path = [await agePrograms(), dirname(await sopsProgram()), process.env['PATH']].join(':')
    await run('bash', ['-euo', 'pipefail', '-c', line], { cwd: folder, env: { PATH: path } })
    for (const file of ['demo/manifest.json', 'demo/manifest.sig', config]) {
      expect(await readFile(join(folder, file), 'utf8')).toBe(
        await readFile(join(clone, file), 'utf8'),
      )
    }
    expect(await sops(folder, offline, 'demo/secrets.sops.yaml')).toContain('canary-bundle-secret')
  })
})
