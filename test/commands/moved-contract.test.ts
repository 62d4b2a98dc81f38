import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { recoverState } from '../../src/commands/state/recover-state.ts'
import { mintTalosconfig } from '../../src/commands/talos/mint-talosconfig.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { typeTalos } from '../cli/talos-bench.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { examine } from './doctors-eye.ts'
import { type Bench, startBench } from './harness.ts'
import { bootedConfig, bootIds, bootOther, runningConfig } from './node-hands.ts'
import { expectTidy, inventoryOf, setBranch } from './world-facts.ts'

// One cluster that came from Talos 1.13, through what can go wrong once its configs have the shape of 1.14.

const [controlPlane, worker] = ['demo-control-plane-1', 'demo-workers-1'] as const
const open = { firewall: { talosApi: ['0.0.0.0/0'], kubernetesApi: ['0.0.0.0/0'] } }
const fileOf = (talos: JsonObject) =>
  clusterFile({}, { ...bare, ...open, talos: { version: 'v1.14.1', ...talos } })
const [silent, old, moved] = [
  fileOf({}),
  fileOf({ contract: 'v1.13' }),
  fileOf({ contract: 'v1.14' }),
]
let bench: Bench
let folder: string

beforeAll(async () => {
  bench = await startBench()
  folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-moved-'))
  await writeFile(join(folder, 'cluster.yaml'), silent.text)
  await applyCluster(bench.run(), { file: fileOf({ version: 'v1.13.9' }) })
  await upgradeCluster(bench.run(), { file: silent })
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const rollBack = (...words: string[]) =>
  typeTalos(
    ['rollback', '--config', join(folder, 'cluster.yaml'), '--yes', '-n', worker, ...words],
    { context: bench.run() },
  )

const contracts = async () => {
  const { contract, nodes } = await inventoryOf(bench)
  return [contract, ...nodes.map((node) => node.contract)]
}

it('a move that a node does not come up with puts its former config back, in the former shape', async () => {
  const broken = { cluster: { apiServer: { extraArgs: { 'audit-log-maxage': 'seven' } } } }
  const file = fileOf({ contract: 'v1.14', controlPlanePatches: [broken] })
  const formers = [controlPlane, worker].map((name) => runningConfig(bench, name))
  await expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({
    code: 'node-change-failed',
    target: controlPlane,
    message: expect.stringContaining('its former config was put back, and it is healthy again'),
  })
  expect([controlPlane, worker].map((name) => runningConfig(bench, name))).toEqual(formers)
  // The move takes a boot, and so does the way back: volumes are mounted as the former config has it.
  expect(bootedConfig(bench, controlPlane)).toBe(formers[0])
  expect(await contracts()).toEqual(['v1.13', 'v1.13', 'v1.13'])
  const { plan } = await planCluster(bench.run(), { file: silent, verb: 'apply' })
  expect(plan).toMatchObject({ changes: [], findings: [] })
})

it('a node that was moved is not rolled back to the Talos of before, which cannot read its config', async () => {
  await applyCluster(bench.run(), { file: moved })
  const boots = bootIds(bench)
  for (const words of [[], ['--no-gate']]) {
    expect((await rollBack(...words)).error).toMatchObject({
      code: 'talos-refused',
      target: worker,
      message: expect.stringMatching(
        /^demo-workers-1 would boot Talos v1\.13\.9, which cannot read its machine config: /,
      ),
      hint: expect.stringContaining('`talos.contract: v1.13`'),
    })
  }
  expect(bootIds(bench)).toEqual(boots)
  await expectTidy(bench)
})

it('a recovered state keeps the shape, and what it does not know of the Talos of before is refused', async () => {
  const talosconfig = await mintTalosconfig(bench.run(), { file: moved, hours: 1 })
  await setBranch(bench, undefined)
  const { plan } = await recoverState(bench.run(), {
    file: silent,
    wayIn: { kind: 'talosconfig', text: talosconfig },
  })
  expect(plan.changes).toEqual([])
  expect(await contracts()).toEqual(['v1.14', 'v1.14', 'v1.14'])
  const boots = bootIds(bench)
  expect((await rollBack()).error).toMatchObject({
    code: 'talos-refused',
    message: expect.stringContaining('nothing shows which Talos demo-workers-1 would boot'),
  })
  expect(bootIds(bench)).toEqual(boots)
})

it('it is rolled back once its config has the shape of before', async () => {
  await applyCluster(bench.run(), { file: old })
  const { error, stdout } = await rollBack()
  expect(error).toBeUndefined()
  expect(stdout).toMatch(/demo-workers-1 +rolled back/)
  expect(imageOf(worker)).toMatchObject({ version: 'v1.13.9' })
})

const imageOf = (name: string) =>
  [...bench.sandbox.world.machines.values()].find((machine) => machine.name === name)?.disk.image

it('what was rolled back is an upgrade that is due, which no apply makes', async () => {
  const { nodes } = await inventoryOf(bench)
  expect(nodes.find(({ name }) => name === worker)).toMatchObject({
    talosVersion: 'v1.13.9',
    formerTalosVersion: 'v1.14.1',
  })
  const due = [
    expect.objectContaining({
      key: `node/${worker}`,
      fields: expect.arrayContaining([
        { path: 'talosVersion', before: 'v1.13.9', after: 'v1.14.1' },
      ]),
    }),
  ]
  const { plan } = await planCluster(bench.run(), { file: silent, verb: 'apply' })
  expect(plan.waiting).toEqual(due)
  // Its config names the installer of the version that it runs.
  const fields = plan.changes.flatMap((change) => change.fields.map(({ path }) => path))
  expect([...new Set(fields)]).toEqual(['machine.install.image'])
  await applyCluster(bench.run(), { file: silent })
  expect(imageOf(worker)).toMatchObject({ version: 'v1.13.9' })

  const upgrade = await upgradeCluster(bench.run(), { file: silent })
  expect(upgrade.plan.changes).toEqual(due)
  expect(imageOf(worker)).toMatchObject({ version: 'v1.14.1' })
  const next = await planCluster(bench.run(), { file: silent, verb: 'apply' })
  expect(next.plan).toMatchObject({ changes: [], waiting: [], findings: [] })
})

it('a node that came up without a config is named, and passes for healthy nowhere, until it is replaced', async () => {
  await applyCluster(bench.run(), { file: moved })
  await bootOther(bench, worker)
  const planned = async (replace: readonly string[]) => {
    const { plan } = await planCluster(bench.run(), { file: moved, verb: 'apply', replace })
    return plan.findings.filter(({ severity }) => severity === 'error')
  }
  const message = expect.stringMatching(/^demo-workers-1 is in maintenance/)
  const command = `hcloud-talos apply --replace ${worker}`
  await expect
    .poll(() => planned([]), { timeout: 60_000, interval: 500 })
    .toMatchObject([{ message, hint: expect.stringContaining(command) }])
  expect(await planned([worker])).toEqual([])
  expect(await examine(bench, moved)).toContainEqual(
    expect.objectContaining({ area: 'nodes', verdict: 'bad', message, fix: command }),
  )
  await expect(applyCluster(bench.run(), { file: moved })).rejects.toMatchObject({
    code: 'plan-refused',
    findings: [expect.objectContaining({ message })],
  })
  await applyCluster(bench.run(), { file: moved, replace: [worker] })
  const { plan } = await planCluster(bench.run(), { file: moved, verb: 'apply' })
  expect(plan).toMatchObject({ changes: [], waiting: [], findings: [] })
  expect(imageOf(worker)).toMatchObject({ version: 'v1.14.1' })
  await expectTidy(bench)
})
