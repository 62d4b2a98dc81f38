import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { deleteServerByHand } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { healthyEtcd, onlyEtcd, voters } from './etcd-watch.ts'
import { type Bench, startBench } from './harness.ts'
import { expectTidy, inventoryOf, newestCluster } from './world-facts.ts'

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

it('two more control planes join the etcd that is there, also when the run is cut off in between', async () => {
  const { world } = bench.sandbox
  // Cut off as soon as the second is a member: the state does not say so yet.
  let cut = false
  onlyEtcd(bench.sandbox.world).onChange(() => {
    if (cut || onlyEtcd(bench.sandbox.world).voters.length < 2) return
    cut = true
    world.cutAfter(0)
  })
  const finished = await cutOff(bench, { after: Number.POSITIVE_INFINITY }, (run) =>
    applyCluster(run, { file: triple }),
  )
  expect(finished).toBe(false)
  await applyCluster(bench.run(), { file: triple })
  expect(voters(world)).toEqual(healthyEtcd(3))
  expect(newestCluster(world).bootstraps).toHaveLength(1)
})

it('a control plane that was deleted by hand is recreated; its dead member leaves etcd first', async () => {
  const { world } = bench.sandbox
  const etcd = onlyEtcd(bench.sandbox.world)
  const former = etcd.voters.find(({ hostname }) => hostname === 'demo-control-plane-1')
  let most = 0
  etcd.onChange(() => {
    most = Math.max(most, etcd.members.size)
  })
  const address = (await inventoryOf(bench)).nodes[0]?.privateIp
  await deleteServerByHand(bench, 'demo-control-plane-1')
  await applyCluster(bench.run(), { file: triple })
  expect(voters(world)).toEqual(healthyEtcd(3))
  expect(most).toBe(3)
  expect(etcd.members.has(former?.id ?? 0n)).toBe(false)
  expect(newestCluster(world).bootstraps).toHaveLength(1)
  expect((await inventoryOf(bench)).nodes[0]?.privateIp).toBe(address)
  expect([...talosState(world).nodes]).toHaveLength(3)
})
