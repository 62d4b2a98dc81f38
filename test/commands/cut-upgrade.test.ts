import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/apply-cluster.ts'
import { planCluster } from '../../src/commands/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/upgrade-cluster.ts'
import { clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { cutPoints, cutTimeoutMs } from './cut-points.ts'
import { startBench } from './harness.ts'
import { usableNodes } from './simulated-kubernetes.ts'
import { expectTidy, holdings, inventoryOf } from './world-facts.ts'

const at = (patch: number) => clusterFile({}, { talos: { version: `v1.13.${patch}` } })
const nodes = ['demo-control-plane-1', 'demo-workers-1']

it('an upgrade that is killed at a request goes on and converges', {
  timeout: cutTimeoutMs,
}, async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: at(0) })
  const before = holdings(world)
  let patch = 0
  // It asks about ninety times; the last of these steps shut its door.
  for (const after of cutPoints([34, 63, 85], 90)) {
    patch = (patch + 1) % 10
    const file = at(patch)
    const loseLast = patch % 2 === 0
    await cutOff(bench, { after, loseLast }, (run) => upgradeCluster(run, { file }))
    await upgradeCluster(bench.run(), { file })
    expect(usableNodes(world), `cut after ${after}`).toEqual(nodes)
    expect(holdings(world)).toEqual(before)
    const { nodes: known } = await inventoryOf(bench)
    expect(known.map(({ talosVersion }) => talosVersion)).toEqual([
      `v1.13.${patch}`,
      `v1.13.${patch}`,
    ])
    const { plan } = await planCluster(bench.run(), { file, verb: 'upgrade' })
    expect([...plan.changes, ...plan.waiting]).toEqual([])
    await expectTidy(bench)
  }
})
