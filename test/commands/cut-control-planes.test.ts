import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { toApprovedPlan } from '../../src/plan/verdict.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { deleteServerByHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { cutPoints, cutTimeoutMs } from './cut-points.ts'
import { healthyEtcd, voters, watchEtcd } from './etcd-watch.ts'
import { type Bench, startBench } from './harness.ts'
import { nodeNames } from './simulated-kubernetes.ts'
import { expectTidy, inventoryOf, newestCluster } from './world-facts.ts'

const timeout = cutTimeoutMs

function controlPlanes(count: number, type = 'cx23'): ClusterFile {
  const nodes = { controlPlane: { count, type }, workers: { count: 0, type: 'cx33' } }
  return clusterFile({}, { ...bare, nodes })
}

async function expectHealthy(bench: Bench, count: number, file: ClusterFile): Promise<void> {
  const { world } = bench.sandbox
  const names = Object.keys(healthyEtcd(count))
  expect(voters(world)).toEqual(healthyEtcd(count))
  expect([...world.hetzner.servers.values()].map(({ name }) => name).sort()).toEqual(names)
  expect(nodeNames(world)).toEqual(names)
  expect((await inventoryOf(bench)).nodes.map(({ name }) => name)).toEqual(names)
  expect(newestCluster(world).bootstraps).toHaveLength(1)
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.changes).toEqual([])
  await expectTidy(bench)
}

/**
 * Carries out what was approved, cut off at one request, and then what is left of the same approval.
 * Returns whether it was cut short.
 */
async function applyInTwo(
  bench: Bench,
  file: ClusterFile,
  cut: { after: number; loseLast: boolean },
  replace: readonly string[] = [],
): Promise<boolean> {
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply', replace })
  const approved = toApprovedPlan(plan)
  const watch = watchEtcd(bench)
  const isDone = await cutOff(bench, cut, (run) => applyCluster(run, { file, approved, replace }))
  // Whoever asked for a replacement by name asks only once.
  if (!isDone) await applyCluster(bench.run(), { file, approved })
  expect(watch.end().broken, `cut after ${cut.after}`).toEqual([])
  return !isDone
}

it('control planes that come and go, cut off at a request, go on as approved', {
  timeout,
}, async () => {
  await using bench = await startBench()
  await applyCluster(bench.run(), { file: controlPlanes(1) })
  let cuts = 0
  for (const [index, after] of cutPoints([18, 47, 74, 92], 150).entries()) {
    const cut = { after, loseLast: index % 2 === 1 }
    if (await applyInTwo(bench, controlPlanes(3), cut)) cuts++
    await expectHealthy(bench, 3, controlPlanes(3))
    if (await applyInTwo(bench, controlPlanes(1), cut)) cuts++
    await expectHealthy(bench, 1, controlPlanes(1))
  }
  expect(cuts).toBeGreaterThan(4)
})

it('a replacement that is cut off at a request goes on as approved', { timeout }, async () => {
  await using bench = await startBench()
  const file = controlPlanes(3)
  await applyCluster(bench.run(), { file })
  const name = 'demo-control-plane-2'
  const { servers } = bench.sandbox.world.hetzner
  let cuts = 0
  for (const [index, after] of cutPoints([22, 36, 49, 58, 66, 75], 120).entries()) {
    const before = idOf(servers, name)
    const cut = { after, loseLast: index % 2 === 1 }
    if (await applyInTwo(bench, file, cut, [name])) cuts++
    // Cut off before anything was done, there is nothing left to do without the name.
    if (idOf(servers, name) === before) expect(after).toBeLessThan(40)
    await expectHealthy(bench, 3, file)
  }
  expect(cuts).toBeGreaterThan(3)
})

it('a control plane that was lost comes back, also when the run is cut off', {
  timeout,
}, async () => {
  await using bench = await startBench()
  const file = controlPlanes(3)
  await applyCluster(bench.run(), { file })
  let cuts = 0
  for (const [index, after] of cutPoints([20, 40, 60], 100).entries()) {
    await deleteServerByHand(bench, `demo-control-plane-${(index % 3) + 1}`)
    if (await applyInTwo(bench, file, { after, loseLast: index % 2 === 1 })) cuts++
    await expectHealthy(bench, 3, file)
  }
  expect(cuts).toBeGreaterThan(1)
})
