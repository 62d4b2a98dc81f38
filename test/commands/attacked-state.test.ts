import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { verifyState } from '../../src/commands/state/verify-state.ts'
import type { ErrorCode } from '../../src/lib/error-codes.ts'
import { systemRandom } from '../../src/lib/random.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import {
  describeFile,
  digest,
  manifestBytes,
  parseManifest,
} from '../../src/store/files/manifest.ts'
import { encryptSops } from '../../src/store/sops/encrypt-sops.ts'
import { everything } from '../../src/store/sops/secret-keys.ts'
import { signatureFile } from '../../src/store/trust/signature-file.ts'
import { deriveSigningKey } from '../../src/store/trust/signing-key.ts'
import { hangLimitMs } from '../hang-limit.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, inventoryOf, refs, stateFiles } from './world-facts.ts'

const branch = 'hcloud-talos'
const run = promisify(execFile)

let bench: Bench
let file: ClusterFile
let offline: string
let good: string
let first: string

const fileWith = (state: {
  signer: string | string[]
  recipients: string[]
  alongside?: string[]
}) => clusterFile({}, { ...bare, state })

const signer = () => deriveSigningKey({ secret: bench.identity }).signer

beforeAll(async () => {
  bench = await startBench()
  offline = await identityToRecipient(await generateX25519Identity())
  file = fileWith({ signer: signer(), recipients: [bench.recipient, offline] })
  await applyCluster(bench.run(), { file })
  // Another cluster on the same branch, of the same people.
  const prod = readClusterFile({ ...file, text: file.text.replace('"demo"', '"prod"') }).spec
  const store = await openStateStore(bench.run(), prod)
  const inventory = { ...(await inventoryOf(bench)), clusterName: 'prod', uid: 'f'.repeat(16) }
  await store.update(() => ({ inventory, secrets: 'cluster:\n  id: prod\n' }), 'Begin prod')
  await store.close()
  good = (await refs(bench))[branch] ?? ''
  first = (await git('rev-list', '--max-parents=0', branch)).trim()
}, hangLimitMs)
afterAll(() => bench[Symbol.asyncDispose]())

async function git(...args: string[]): Promise<string> {
  const who = ['-c', 'user.name=mallory', '-c', 'user.email=mallory@localhost']
  const { stdout } = await run('git', [...who, ...args], {
    cwd: bench.sandbox.endpoints.git.folder,
  })
  return stdout
}

/** A clone with the state branch checked out, as somebody with push rights has it. */
async function clone(): Promise<string> {
  const folder = await mkdtemp(join(bench.run().tempFolder, 'clone-'))
  await git('clone', '--quiet', '--branch', branch, '.', folder)
  return folder
}

/** Does something to the branch by plain git, and nothing with our key. */
async function attack(work: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = await clone()
  await work(folder)
  await git('-C', folder, 'add', '--all')
  await git('-C', folder, 'commit', '--quiet', '--allow-empty', '--message', 'Innocent')
  await git('-C', folder, 'push', '--quiet', '--force', 'origin', `HEAD:${branch}`)
  await rm(folder, { recursive: true })
}

const commands: [string, (context: RunContext, file: ClusterFile) => Promise<unknown>][] = [
  ['apply', (context, of) => applyCluster(context, { file: of })],
  ['plan', (context, of) => planCluster(context, { file: of, verb: 'apply' })],
  ['kubeconfig', (context, of) => mintAccess(context, { file: of, hours: 1 })],
  ['destroy', (context, of) => destroyCluster(context, { file: of, confirm: async () => true })],
]

/** Every command stops with this code, and neither the world nor the branch is any different afterwards. */
async function expectRefused(code: ErrorCode, of = file, partial: Partial<RunContext> = {}) {
  const { world } = bench.sandbox
  const before = await refs(bench)
  const requests = world.requests.length
  for (const [name, command] of commands) {
    await expect(command(bench.run(partial), of), name).rejects.toMatchObject({ code })
  }
  const changes = world.requests
    .slice(requests)
    .filter(({ front, method }) => front === 'hetzner' && method !== 'GET')
  expect(changes).toEqual([])
  expect(await refs(bench)).toEqual(before)
}

async function restore(): Promise<void> {
  await git('update-ref', `refs/heads/${branch}`, good)
}

const replaceIn = async (path: string, from: string | RegExp, to: string) =>
  writeFile(path, (await readFile(path, 'utf8')).replace(from, to))

/** Lists the files as they are now and signs that with another key. */
async function resign(folder: string, secret: string): Promise<void> {
  const path = join(folder, 'demo/manifest.json')
  const manifest = parseManifest(await readFile(path), path)
  const files = manifest.files.map(async (each) => {
    const content = await readFile(join(folder, 'demo', each.path))
    return { ...each, size: content.length, sha256: digest(content) }
  })
  const bytes = manifestBytes({ ...manifest, files: await Promise.all(files) })
  await writeFile(path, bytes)
  await writeFile(
    join(folder, 'demo/manifest.sig'),
    signatureFile(deriveSigningKey({ secret }), bytes),
  )
}

const openEverything = (folder: string) =>
  replaceIn(join(folder, 'demo/inventory.json'), '"bootstrapped": true', '"bootstrapped": false')

const attacks: [string, ErrorCode, (folder: string) => Promise<unknown>][] = [
  [
    'a change that is listed, under a signature in our name that is not ours',
    'state-signature-wrong',
    async (folder) => {
      await openEverything(folder)
      await resign(folder, await generateX25519Identity())
      await replaceIn(join(folder, 'demo/manifest.sig'), /^\S+/, signer())
    },
  ],
  [
    'a change that is listed, signed by somebody else',
    'state-signer-unknown',
    async (folder) => {
      await openEverything(folder)
      await resign(folder, await generateX25519Identity())
    },
  ],
  [
    'a branch without signatures, as versions before them wrote it',
    'state-unsigned',
    (folder) => rm(join(folder, 'demo/manifest.sig')),
  ],
  [
    'a file that is gone',
    'state-file-missing',
    (folder) => rm(join(folder, 'demo/secrets.sops.yaml')),
  ],
  ['a file that was edited', 'state-file-changed', openEverything],
  [
    'two files that changed places',
    'state-file-misplaced',
    async (folder) => {
      const [a, b] = ['demo-control-plane-1', 'demo-workers-1'].map((name) =>
        join(folder, 'demo/nodes', `${name}.sops.yaml`),
      )
      await rename(`${a}`, `${a}.kept`)
      await rename(`${b}`, `${a}`)
      await rename(`${a}.kept`, `${b}`)
    },
  ],
  [
    'the whole state of another cluster',
    'state-other-cluster',
    async (folder) => {
      await rm(join(folder, 'demo'), { recursive: true })
      await cp(join(folder, 'prod'), join(folder, 'demo'), { recursive: true })
    },
  ],
  [
    'a file of another cluster',
    'state-other-cluster',
    (folder) => cp(join(folder, 'prod/secrets.sops.yaml'), join(folder, 'demo/secrets.sops.yaml')),
  ],
  [
    'a file that somebody encrypted for our recipients',
    'state-file-changed',
    async (folder) => {
      const options = {
        recipients: [bench.recipient, offline],
        encryptedRegex: everything,
        random: systemRandom,
        now: Date.now(),
      }
      const text = await encryptSops([{ cluster: { secret: 'of mine' } }], options)
      await writeFile(join(folder, 'demo/secrets.sops.yaml'), text)
    },
  ],
  [
    'a branch that was set back to its beginning',
    'state-rolled-back',
    (folder) => git('-C', folder, 'reset', '--quiet', '--hard', first),
  ],
  [
    'a branch that was set back by a single generation',
    'state-rolled-back',
    (folder) => git('-C', folder, 'reset', '--quiet', '--hard', 'HEAD~2'),
  ],
]

describe('somebody who may push and has no key', () => {
  it.each(attacks)('gets nowhere with %s', async (_, code, work) => {
    try {
      await attack(work)
      await expectRefused(code)
      if (code !== 'state-rolled-back') {
        const { problems } = await verifyState(bench.run(), file)
        expect(problems.map(({ error }) => error.code)).toEqual([code])
      }
    } finally {
      await restore()
    }
  })

  it('gets nowhere with a copy of the branch in another repository', async () => {
    const { state } = bench.run()
    const remote = join(state.folder, 'copy.git')
    await git('clone', '--quiet', '--bare', '.', remote)
    await expectRefused('state-other-repository', file, { state: { ...state, remote } })
    // Unless the reviewed file says that the repository had that name.
    const [owner, name] = state.remote
      .replace(/\.git$/, '')
      .split('/')
      .slice(-2)
    const spec = JSON.parse(file.text)
    spec.state.repository = `${owner}/${name}`
    const moved = { ...file, text: JSON.stringify(spec) }
    await planCluster(bench.run({ state: { ...state, remote } }), { file: moved, verb: 'apply' })
  })

  it('gets nowhere by taking the whole branch away', async () => {
    try {
      await git('update-ref', '-d', `refs/heads/${branch}`)
      await expectRefused('state-missing')
    } finally {
      await restore()
    }
  })
})

describe('what the cluster file and the state do not agree on', () => {
  it('is refused: an epoch that is not the signer’s, and one that the file does not know', async () => {
    const other = deriveSigningKey({ secret: await generateX25519Identity() }).signer
    const recipients = [bench.recipient, offline]
    await expectRefused('state-epoch-unknown', fileWith({ signer: [other, signer()], recipients }))
    await expectRefused('state-signer-unknown', fileWith({ signer: other, recipients }))
  })

  it('is refused: a recipient that the file does not name', async () => {
    try {
      // As it is in a state of a version that did not write down whom the file named.
      await attack(async (folder) => {
        const inventory = JSON.parse(await readFile(join(folder, 'demo/inventory.json'), 'utf8'))
        const bytes = Buffer.from(JSON.stringify({ ...inventory, recipients: undefined }))
        await writeFile(join(folder, 'demo/inventory.json'), bytes)
        const path = join(folder, 'demo/manifest.json')
        const manifest = parseManifest(await readFile(path), path)
        const files = manifest.files.map((one) =>
          one.path === 'inventory.json' ? describeFile(one.path, bytes) : one,
        )
        await writeFile(path, manifestBytes({ ...manifest, files }))
        const key = deriveSigningKey({ secret: bench.identity })
        await writeFile(join(folder, 'demo/manifest.sig'), signatureFile(key, await readFile(path)))
      })
      const recipients = [bench.recipient]
      await expectRefused('state-recipients', fileWith({ signer: signer(), recipients }))
    } finally {
      await restore()
    }
  })

  it('is refused: a manifest of a later version, signed as it should be', async () => {
    try {
      await attack(async (folder) => {
        const path = join(folder, 'demo/manifest.json')
        await replaceIn(path, '"format":1', '"format":2')
        const key = deriveSigningKey({ secret: bench.identity })
        await writeFile(join(folder, 'demo/manifest.sig'), signatureFile(key, await readFile(path)))
      })
      await expectRefused('state-manifest-unreadable')
    } finally {
      await restore()
    }
  })
})

describe('the state of a cluster that was left alone', () => {
  it('is what its signer wrote, all along', async () => {
    const { problems, generations } = await verifyState(bench.run(), file)
    expect(problems).toEqual([])
    expect(generations.at(0)?.manifest.generation).toBe(1)
  })

  it('is anchored at Hetzner without being drift, and is not written again', async () => {
    const { world } = bench.sandbox
    const [firewall] = [...world.hetzner.firewalls.values()]
    const manifest = JSON.parse((await stateFiles(bench))['demo/manifest.json'] ?? '')
    expect(firewall?.labels).toMatchObject({
      generation: String(manifest.generation),
      'key-epoch': '1',
    })
    const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
    expect(plan.changes).toEqual([])
    expect(await changesDuring(world, () => applyCluster(bench.run(), { file }))).toEqual([])
    expect((await refs(bench))[branch]).toBe(good)
  })

  it('can be planned from without an identity, and warns where nobody is named', async () => {
    const { state } = bench.run()
    const keyless = { state: { ...state, identity: undefined } }
    const named = await planCluster(bench.run(keyless), { file, verb: 'apply' })
    const warned = ({ findings }: typeof named) => findings.map(({ path }) => path.join('.'))
    expect(warned(named)).not.toContain('state.signer')
    const recipients = [bench.recipient, offline]
    const unnamed = clusterFile({}, { ...bare, state: { recipients } })
    const blind = await planCluster(bench.run(keyless), { file: unnamed, verb: 'apply' })
    expect(warned(blind)).toContain('state.signer')
    const owner = await planCluster(bench.run(), { file: unnamed, verb: 'apply' })
    expect(warned(owner)).not.toContain('state.signer')
  })

  it('of a cluster that was destroyed says nothing about its successor', async () => {
    await destroyCluster(bench.run(), { file, confirm: async () => true })
    // It is started beside another one, which its file has to name.
    const successor = fileWith({
      signer: signer(),
      recipients: [bench.recipient, offline],
      alongside: ['prod'],
    })
    await applyCluster(bench.run(), { file: successor })
    const newest = (await refs(bench))[branch] ?? ''
    await restore()
    await expectRefused('state-other-cluster')
    await git('update-ref', `refs/heads/${branch}`, newest)
    expect((await verifyState(bench.run(), file)).problems).toEqual([])
  })
})
