import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Etcd } from '../../src/sandbox/talos/etcd.ts'
import { bare, clusterFile } from '../commands/cluster-files.ts'
import { type Bench, startBench } from '../commands/harness.ts'
import { expectTidy, inventoryOf, newestCluster } from '../commands/world-facts.ts'

const version = 'v1.13.9'
const { addons = {} } = bare
const withTalos = (more: JsonObject) =>
  clusterFile({ controlPlanes: 3, workers: 0 }, { talos: { version, ...more }, addons })

// One cluster, stopped node by node in two ways.
let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: withTalos({}) })
})

afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

function onlyEtcd(): Etcd {
  const [etcd, ...others] = newestCluster(bench.sandbox.world).etcds.values()
  if (!etcd || others.length > 0) throw new Error('a cluster has one etcd')
  return etcd
}

/** The fewest voters that ran at any moment of some work. */
async function fewestVoters(work: () => Promise<unknown>): Promise<number> {
  const etcd = onlyEtcd()
  let fewest = Number.POSITIVE_INFINITY
  let watching = true
  etcd.onChange(() => {
    if (!watching) return
    fewest = Math.min(fewest, etcd.voters.filter(({ id }) => etcd.isStarted(id)).length)
  })
  await work()
  watching = false
  return fewest
}

function boots(): Record<string, string> {
  const { machines } = bench.sandbox.world
  return Object.fromEntries([...machines.values()].map(({ name, bootId }) => [name, bootId]))
}

function schematics(): Set<string> {
  const images = [...bench.sandbox.world.machines.values()].map(({ disk }) => disk.image)
  return new Set(images.map((image) => (image.kind === 'talos' ? image.schematic : image.kind)))
}

const rules = { machine: { udev: { rules: ['KERNEL=="null", MODE="0666"'] } } }

it('a config that reboots control planes stops one at a time, with etcd healthy in between', async () => {
  const before = boots()
  const file = withTalos({ patches: [rules] })
  const fewest = await fewestVoters(() => applyCluster(bench.run(), { file }))
  const after = boots()
  expect(Object.keys(after).filter((name) => after[name] === before[name])).toEqual([])
  expect(fewest).toBe(2)
})

it('another image of the same version is rolled in too, and only once', async () => {
  const file = withTalos({ patches: [rules], extensions: ['siderolabs/qemu-guest-agent'] })
  const former = schematics()
  const { plan } = await planCluster(bench.run(), { file, verb: 'upgrade' })
  expect(plan.changes).toHaveLength(3)
  const fewest = await fewestVoters(() => upgradeCluster(bench.run(), { file }))
  expect(fewest).toBe(2)
  const [schematic, ...others] = schematics()
  expect(others).toEqual([])
  expect(former.has(schematic ?? '')).toBe(false)
  const { nodes } = await inventoryOf(bench)
  expect(new Set(nodes.map((node) => node.schematic))).toEqual(new Set([schematic]))
  const rebooted = boots()
  expect((await upgradeCluster(bench.run(), { file })).plan.changes).toEqual([])
  expect(boots()).toEqual(rebooted)
})
