import { execFileSync } from 'node:child_process'
import { generateX25519Identity } from 'age-encryption'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { canonicalJson } from '../../src/lib/canonical-json.ts'
import { readClusterFile } from '../../src/run/hetzner-talos/cluster-session.ts'
import { openStateStore } from '../../src/run/open-state-store.ts'
import type { RunContext } from '../../src/run/run-context.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, refs } from './world-facts.ts'

const file = clusterFile({ workers: 0 }, bare)
const larger = clusterFile({ workers: 1 }, bare)
const branch = 'refs/heads/hcloud-talos'

let bench: Bench
let head: string

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
  head = git('rev-parse', branch)
})

afterAll(() => bench[Symbol.asyncDispose]())

function git(...args: string[]): string {
  const folder = bench.sandbox.endpoints.git.folder
  const author = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.com']
  return execFileSync('git', ['-C', folder, ...author, ...args], { encoding: 'utf8' }).trim()
}

function withIdentity(identity: string | undefined): RunContext {
  const context = bench.run()
  return { ...context, state: { ...context.state, identity } }
}

/** Fails with `code`, changes nothing on Hetzner and leaves the branch where it is. */
async function expectHardStop(code: string, work: () => Promise<unknown>): Promise<void> {
  const before = await refs(bench)
  const { world } = bench.sandbox
  const stop = () => expect(work()).rejects.toMatchObject({ code, hint: expect.any(String) })
  expect(await changesDuring(world, stop)).toEqual([])
  expect(await refs(bench)).toEqual(before)
}

it('a branch that is missing while the cluster is there is never taken for a new cluster', async () => {
  git('update-ref', '-d', branch)
  const confirm = async () => true
  await expectHardStop('state-missing', () => applyCluster(bench.run(), { file }))
  await expectHardStop('state-missing', () => destroyCluster(bench.run(), { file, confirm }))
  await expectHardStop('state-missing', () => mintAccess(bench.run(), { file, hours: 1 }))
  git('update-ref', branch, head)
})

it('secrets that are missing, or cannot be opened, are never recreated', async () => {
  const stranger = await generateX25519Identity()
  await expectHardStop('identity-missing', () =>
    applyCluster(withIdentity(undefined), { file: larger }),
  )
  await expectHardStop('state-signer-unknown', () =>
    applyCluster(withIdentity(stranger), { file: larger }),
  )
  for (const manifestKnows of [true, false]) {
    git('update-ref', branch, withoutSecrets(manifestKnows))
    const code = manifestKnows ? 'state-file-missing' : 'state-signature-wrong'
    await expectHardStop(code, () => applyCluster(bench.run(), { file: larger }))
  }
  git('update-ref', branch, head)
})

it('a state without secrets, as its signer wrote it, is no state of a cluster that runs', async () => {
  await using other = await startBench()
  const context = other.run()
  const { spec } = readClusterFile(file)
  const store = await openStateStore(context, spec)
  const uid = '0123456789abcdef'
  const begun = { clusterName: 'demo', uid, nodes: [], addons: {}, bootstrapped: true }
  await store.update(() => ({ inventory: begun }), 'Begin')
  await store.close()
  const stop = () =>
    expect(applyCluster(other.run(), { file })).rejects.toMatchObject({
      code: 'state-corrupt',
      message: expect.stringContaining('secrets of demo are no longer in its state'),
    })
  expect(await changesDuring(other.sandbox.world, stop)).toEqual([])
})

it('a branch that is somebody else’s is left alone', async () => {
  const blob = git('hash-object', '-w', '--stdin')
  const tree = execFileSync('git', ['-C', bench.sandbox.endpoints.git.folder, 'mktree'], {
    input: `100644 blob ${blob}\tREADME.md\n`,
    encoding: 'utf8',
  }).trim()
  git('update-ref', branch, git('commit-tree', '-m', 'A page', tree))
  await expectHardStop('state-foreign', () => applyCluster(bench.run(), { file }))
  git('update-ref', branch, head)
})

/** A commit with the state as it is but for the secrets; its manifest may have forgotten them too. */
function withoutSecrets(manifestKnows: boolean): string {
  const { folder } = bench.sandbox.endpoints.git
  const index = `${folder}/index-without-secrets`
  const withIndex = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      env: { ...process.env, GIT_INDEX_FILE: index },
    }).trim()
  withIndex('read-tree', head)
  withIndex('rm', '--cached', '--quiet', 'demo/secrets.sops.yaml')
  if (!manifestKnows) {
    const manifest = JSON.parse(git('show', `${head}:demo/manifest.json`))
    const files = manifest.files.filter(({ path }: { path: string }) => !path.includes('secrets'))
    const object = execFileSync('git', ['-C', folder, 'hash-object', '-w', '--stdin'], {
      encoding: 'utf8',
      input: canonicalJson({ ...manifest, files }),
    }).trim()
    withIndex('update-index', '--cacheinfo', `100644,${object},demo/manifest.json`)
  }
  return git('commit-tree', '-m', 'Lose the secrets', '-p', head, withIndex('write-tree'))
}
