import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { exportState } from '../../src/commands/state/export-state.ts'
import { importState } from '../../src/commands/state/import-state.ts'
import { recoverState } from '../../src/commands/state/recover-state.ts'
import { verifyState } from '../../src/commands/state/verify-state.ts'
import { mintTalosconfig } from '../../src/commands/talos/mint-talosconfig.ts'
import { seededRandom } from '../../src/lib/random.ts'
import type { WayIn } from '../../src/run/mode/cluster-recovery.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, expectTidy, inventoryOf, newestCluster, refs } from './world-facts.ts'

const file = clusterFile({ controlPlanes: 1, workers: 1 })
const branch = 'refs/heads/hcloud-talos'

let bench: Bench
let talosconfig: string
let reader: string

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
  talosconfig = await mintTalosconfig(bench.run(), { file, hours: 1 })
  reader = await mintTalosconfig(bench.run(), { file, hours: 1, role: 'os:reader' })
})
afterAll(() => bench[Symbol.asyncDispose]())

function git(...args: string[]): string {
  const { folder } = bench.sandbox.endpoints.git
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim()
}

function configOf(name: string): string {
  const node = [...talosState(bench.sandbox.world).nodes].find((one) => one.name === name)
  return node?.configs.active?.text ?? ''
}

const recover = (wayIn: WayIn) => recoverState(bench.run(), { file, wayIn })
const admin = (): WayIn => ({ kind: 'talosconfig', text: talosconfig })

async function expectRefused(code: string, wayIn: WayIn): Promise<void> {
  const before = await refs(bench)
  const refused = () =>
    expect(recover(wayIn)).rejects.toMatchObject({ code, hint: expect.any(String) })
  expect(await changesDuring(bench.sandbox.world, refused)).toEqual([])
  expect(await refs(bench)).toEqual(before)
}

it('a state that is there is not recovered, nor one that is only damaged', async () => {
  await expectRefused('recovery-impossible', admin())
  const head = git('rev-parse', branch)
  const blob = git('hash-object', '-w', '--stdin')
  git('update-ref', branch, blob.length === 40 ? orphanOf('README.md') : head)
  await expectRefused('state-foreign', admin())
  git('update-ref', branch, head)
})

it('a branch that never was a state branch is emptied by nobody', async () => {
  const { bundle } = await exportState(bench.run(), file)
  const head = git('rev-parse', branch)
  const foreign = orphanOf('main.go')
  git('update-ref', branch, foreign)
  const recovery = { file, wayIn: admin(), replaces: true }
  for (const attempt of [
    recoverState(bench.run(), recovery),
    importState(bench.run(), { file, bundle, acceptsOlder: true, replaces: true }),
  ])
    await expect(attempt).rejects.toMatchObject({ code: 'state-foreign' })
  expect(git('rev-parse', branch)).toBe(foreign)
  git('update-ref', branch, head)
})

/** A branch that holds another file and nothing else. */
function orphanOf(path: string): string {
  const blob = execFileSync(
    'git',
    ['-C', bench.sandbox.endpoints.git.folder, 'hash-object', '-w', '--stdin'],
    { input: 'x', encoding: 'utf8' },
  ).trim()
  const tree = execFileSync('git', ['-C', bench.sandbox.endpoints.git.folder, 'mktree'], {
    input: `100644 blob ${blob}\t${path}\n`,
    encoding: 'utf8',
  }).trim()
  const author = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.com']
  return git(...author, 'commit-tree', '-m', 'Another thing', tree)
}

const ways: [string, () => WayIn][] = [
  ['a talosconfig', admin],
  [
    'the machine config of a control plane',
    () => ({ kind: 'secrets', text: configOf('demo-control-plane-1') }),
  ],
]

it.each(ways)('the branch is lost, and %s leads back to all of it', async (_, way) => {
  // What was written into a snapshot nobody remembers: it is bound again when servers are created from it.
  const { images: _images, ...former } = await inventoryOf(bench)
  const generation = Number(anchorLabel())
  const wayIn = way()
  git('update-ref', '-d', branch)
  await expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({ code: 'state-missing' })

  const changed = await changesDuring(bench.sandbox.world, async () => {
    const recovered = await recover(wayIn)
    expect(recovered.plan.changes).toEqual([])
    expect(recovered.generation).toBe(generation + 1)
  })
  // Nothing but the anchor: how far the state has come.
  expect(changed.every((request) => /^PUT \/firewalls\/\d+$/.test(request))).toBe(true)
  expect(await inventoryOf(bench)).toEqual(former)
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect([...plan.changes, ...plan.waiting]).toEqual([])
  expect((await verifyState(bench.run(), file)).problems).toEqual([])
  expect(newestCluster(bench.sandbox.world).bootstraps).toHaveLength(1)

  // And the secrets are the old ones: the nodes believe what is minted from them, and the cluster goes on.
  const { talosconfig: minted = '' } = await mintAccess(bench.run(), { file, hours: 1 })
  expect(caOf(minted)).toBe(caOf(talosconfig))
  const { plan: applied } = await applyCluster(bench.run(), { file })
  expect(applied.changes).toEqual([])
  await expectTidy(bench)
})

function anchorLabel(): string | undefined {
  const firewalls = [...bench.sandbox.world.hetzner.firewalls.values()]
  return firewalls.find(({ name }) => name === 'demo')?.labels['generation']
}

function caOf(text: string): string | undefined {
  return /^\s+ca: (\S+)$/m.exec(text)?.[1]
}

it('a node whose config is another one than the file asks for shows in the next plan', async () => {
  const other = clusterFile(
    { controlPlanes: 1, workers: 1 },
    { talos: { version: 'v1.13.9', timeServers: ['time.example.com'] } },
  )
  git('update-ref', '-d', branch)
  const { plan } = await recoverState(bench.run(), { file: other, wayIn: admin() })
  expect(plan.changes.map(({ action, key }) => `${action} ${key}`).sort()).toEqual([
    'update node/demo-control-plane-1',
    'update node/demo-workers-1',
  ])
})

it('what does not lead in, or only half, changes nothing and says so', async () => {
  const head = git('rev-parse', branch)
  git('update-ref', '-d', branch)
  const other = await startBench()
  try {
    await applyCluster(other.run({ random: seededRandom(77) }), {
      file: clusterFile({ workers: 0 }),
    })
    const theirs = await mintTalosconfig(other.run(), { file, hours: 1 })
    await expectRefused('recovery-impossible', { kind: 'talosconfig', text: theirs })
  } finally {
    await other[Symbol.asyncDispose]()
  }
  await expectRefused('recovery-impossible', { kind: 'talosconfig', text: reader })
  await expectRefused('talosconfig-invalid', { kind: 'talosconfig', text: 'nonsense' })
  await expectRefused('secrets-invalid', { kind: 'secrets', text: configOf('demo-workers-1') })
  await expectRefused('secrets-invalid', { kind: 'secrets', text: 'a: 1' })
  const worker = [...bench.sandbox.world.machines.values()].find(
    ({ name }) => name === 'demo-workers-1',
  )
  await worker?.powerOff()
  await expectRefused('recovery-impossible', admin())
  await worker?.powerOn()
  git('update-ref', branch, head)
})
