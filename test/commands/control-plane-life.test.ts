import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/apply-cluster.ts'
import type { Etcd } from '../../src/sandbox/talos/etcd.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { deleteServerByHand } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, expectTidy, inventoryOf, newestCluster, refs } from './world-facts.ts'

const single = clusterFile({ workers: 0 }, bare)
const triple = clusterFile({ controlPlanes: 3, workers: 0 }, bare)

// One cluster, changed by one file after the other.
let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: single })
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

/** The voters of the one etcd, each with whether it runs. */
function voters(): Record<string, boolean> {
  const etcd = onlyEtcd()
  return Object.fromEntries(etcd.voters.map(({ hostname, id }) => [hostname, etcd.isStarted(id)]))
}

const allThree = {
  'demo-control-plane-1': true,
  'demo-control-plane-2': true,
  'demo-control-plane-3': true,
}

it('two more control planes join the etcd that is there, also when the run is cut off in between', async () => {
  const { world } = bench.sandbox
  // Cut off as soon as the second is a member: the state does not say so yet.
  let cut = false
  onlyEtcd().onChange(() => {
    if (cut || onlyEtcd().voters.length < 2) return
    cut = true
    world.cutAfter(0)
  })
  const finished = await cutOff(bench, { after: Number.POSITIVE_INFINITY }, (run) =>
    applyCluster(run, { file: triple }),
  )
  expect(finished).toBe(false)
  await applyCluster(bench.run(), { file: triple })
  expect(voters()).toEqual(allThree)
  expect(newestCluster(world).bootstraps).toHaveLength(1)
})

it('to take control planes away, or to replace them, is refused before anything is touched', async () => {
  const { world } = bench.sandbox
  const before = await refs(bench)
  const larger = clusterFile(
    { controlPlanes: 3, workers: 0 },
    {
      ...bare,
      nodes: { controlPlane: { count: 3, type: 'cx43' }, workers: { count: 0, type: 'cx33' } },
    },
  )
  for (const file of [single, larger]) {
    const refused = () =>
      expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({ code: 'plan-refused' })
    expect(await changesDuring(world, refused)).toEqual([])
  }
  expect(await refs(bench)).toEqual(before)
  expect(voters()).toEqual(allThree)
})

it('a control plane that was deleted by hand is made anew; its dead member leaves etcd first', async () => {
  const { world } = bench.sandbox
  const etcd = onlyEtcd()
  const former = etcd.voters.find(({ hostname }) => hostname === 'demo-control-plane-1')
  let most = 0
  etcd.onChange(() => {
    most = Math.max(most, etcd.members.size)
  })
  const address = (await inventoryOf(bench)).nodes[0]?.privateIp
  await deleteServerByHand(bench, 'demo-control-plane-1')
  await applyCluster(bench.run(), { file: triple })
  expect(voters()).toEqual(allThree)
  expect(most).toBe(3)
  expect(etcd.members.has(former?.id ?? 0n)).toBe(false)
  expect(newestCluster(world).bootstraps).toHaveLength(1)
  expect((await inventoryOf(bench)).nodes[0]?.privateIp).toBe(address)
  expect([...talosState(world).nodes]).toHaveLength(3)
})
