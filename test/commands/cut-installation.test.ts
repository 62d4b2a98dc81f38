import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { fieldAt } from '../../src/lib/kubernetes-object.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { typeTalos } from '../cli/talos-bench.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { type Bench, startBench } from './harness.ts'
import { bootIds } from './node-hands.ts'
import { nodesOf } from './simulated-kubernetes.ts'
import { expectTidy, inventoryOf } from './world-facts.ts'

// A cluster whose configs have the shape of 1.14, and whose nodes still have the Talos 1.13 of before on their disks
// until the first upgrade from there: whoever rolls one back must know which of the two it boots.

const worker = 'demo-workers-1'
const fileAt = (version: string, contract?: string) =>
  clusterFile({}, { ...bare, talos: { version, ...(contract && { contract }) } })
let bench: Bench
let folder: string

beforeAll(async () => {
  bench = await startBench()
  folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-installation-'))
  await writeFile(join(folder, 'cluster.yaml'), fileAt('v1.14.0').text)
  await applyCluster(bench.run(), { file: fileAt('v1.13.9') })
  await upgradeCluster(bench.run(), { file: fileAt('v1.14.0') })
  await applyCluster(bench.run(), { file: fileAt('v1.14.0', 'v1.14') })
})

afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const rollBack = () =>
  typeTalos(['rollback', '--config', join(folder, 'cluster.yaml'), '--yes', '-n', worker], {
    context: bench.run(),
  })

const diskOf = (name: string) => {
  const machine = [...bench.sandbox.world.machines.values()].find((one) => one.name === name)
  if (!machine) throw new Error(`there is no ${name}`)
  return machine.disk
}

const versionOf = (image: unknown) =>
  typeof image === 'object' && image !== null && 'version' in image ? image.version : undefined
const runs = (name: string) =>
  [...talosState(bench.sandbox.world).nodes].find((one) => one.name === name)?.version.tag
/** What a rollback boots. */
const previous = (name: string) => versionOf(diskOf(name).state.get('talos.previous'))

const isCordoned = (name: string) =>
  nodesOf(bench.sandbox.world).some(
    (node) => node.metadata.name === name && fieldAt(node, 'spec', 'unschedulable') === true,
  )

/** Ends an upgrade as a kill does, at the first request at which this is true. */
async function upgradeUntil(version: string, isTime: () => boolean): Promise<void> {
  const { world } = bench.sandbox
  let isOver = false
  world.onRequest(() => {
    if (isOver || !isTime()) return
    isOver = true
    world.cutAfter(0)
  })
  const ended = await cutOff(bench, { after: Number.POSITIVE_INFINITY }, (run) =>
    upgradeCluster(run, { file: fileAt(version) }),
  )
  expect([ended, isOver]).toEqual([false, true])
}

it('while nobody knows whether an upgrade that was cut off installed anything, both are judged', async () => {
  await upgradeUntil('v1.14.1', () => isCordoned(worker))
  expect([runs(worker), previous(worker)]).toEqual(['v1.14.0', 'v1.13.9'])
  const boots = bootIds(bench)
  const { error } = await rollBack()
  expect(error).toMatchObject({
    code: 'talos-refused',
    message: expect.stringMatching(/^demo-workers-1 may boot Talos v1\.13\.9, which cannot read/),
  })
  expect(bootIds(bench)).toEqual(boots)
})

it('a node on which it was cut off once that ran is rolled back to what ran before', async () => {
  await upgradeUntil('v1.14.1', () => runs(worker) === 'v1.14.1')
  expect(previous(worker)).toBe('v1.14.0')
  const { error, stdout } = await rollBack()
  expect(error).toBeUndefined()
  expect(stdout).toMatch(/demo-workers-1 +rolled back/)
  expect(runs(worker)).toBe('v1.14.0')
  expect(isCordoned(worker)).toBe(false)
  await expectRecorded()
})

it('an upgrade that was cut off there is gone on with, and the state has what ran before', async () => {
  await upgradeUntil('v1.14.1', () => runs(worker) === 'v1.14.1')
  await upgradeCluster(bench.run(), { file: fileAt('v1.14.1') })
  expect([runs(worker), previous(worker)]).toEqual(['v1.14.1', 'v1.14.0'])
  await expectRecorded()
  await expectTidy(bench)
})

/** The state has what each node runs, and what a rollback of it boots. */
async function expectRecorded(): Promise<void> {
  const { nodes } = await inventoryOf(bench)
  for (const node of nodes) {
    const { name, talosVersion, formerTalosVersion } = node
    expect([name, talosVersion, formerTalosVersion]).toEqual([name, runs(name), previous(name)])
    expect(node).not.toHaveProperty('installing')
  }
}
