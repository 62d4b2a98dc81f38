import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { talosState } from '../../src/sandbox/talos/talos-state.ts'
import { bare, clusterFile } from '../commands/cluster-files.ts'
import { type Bench, startBench } from '../commands/harness.ts'
import { expectTidy, inventoryOf } from '../commands/world-facts.ts'

const at = (talos: string, kubernetes = '1.36.3') =>
  clusterFile({}, { ...bare, talos: { version: talos }, kubernetes: { version: kubernetes } })

// One small cluster, on which upgrades go wrong.
let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: at('v1.13.0', '1.36.2') })
})

afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

const faults = () => talosState(bench.sandbox.world).faults
const upgrade = (file: ReturnType<typeof at>) => upgradeCluster(bench.run(), { file })

it('an upgrade that would lose the extensions stops at the first node that did', async () => {
  const file = at('v1.13.9', '1.36.2')
  faults().otherSchematic('demo-control-plane-1', 'f'.repeat(64))
  await expect(upgrade(file)).rejects.toMatchObject({
    code: 'talos-upgrade-failed',
    target: 'demo-control-plane-1',
    message: expect.stringMatching(/schematic f{64} and not [0-9a-f]{64}$/),
  })
  const worker = [...bench.sandbox.world.machines.values()].find(
    ({ name }) => name === 'demo-workers-1',
  )
  expect(worker?.disk.image).toMatchObject({ version: 'v1.13.0' })
  faults().release('demo-control-plane-1')
  await upgrade(file)
  const { nodes } = await inventoryOf(bench)
  expect(nodes.map(({ talosVersion }) => talosVersion)).toEqual(['v1.13.9', 'v1.13.9'])
})

it('one node that is done passes for no other: what a cluster runs is what its oldest node runs', async () => {
  const file = at('v1.13.9')
  faults().refuseConfig('demo-workers-1', 'not now')
  await expect(upgrade(file)).rejects.toMatchObject({ code: 'talos-refused' })
  faults().release('demo-workers-1')
  const { plan } = await planCluster(bench.run(), { file, verb: 'upgrade' })
  expect(plan.changes.map(({ key }) => key)).toEqual([
    'kubelet/demo-workers-1',
    'kubernetes/bootstrap-manifests',
  ])
  // A file that goes back in the middle is told that there is no way back.
  const { plan: back } = await planCluster(bench.run(), {
    file: at('v1.13.9', '1.36.2'),
    verb: 'upgrade',
  })
  expect(back.findings.map(({ message }) => message)).toContain(
    'Kubernetes does not go back from 1.36.3 to 1.36.2: demo-control-plane-1 runs 1.36.3',
  )
  await upgrade(file)
})
