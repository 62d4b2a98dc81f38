import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { textAt } from '../../src/lib/kubernetes-object.ts'
import type { World } from '../../src/sandbox/world.ts'
import { clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { cutPoints, cutTimeoutMs } from './cut-points.ts'
import { startBench } from './harness.ts'
import { nodesOf, usableNodes } from './simulated-kubernetes.ts'
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
  // It asks about a hundred times; the last of these steps shut its rule.
  for (const after of cutPoints([34, 63, 95], 101)) {
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

// Patches of one minor, so that there are as many upgrades as there are steps.
const kubernetesAt = (patch: number) =>
  clusterFile({ controlPlanes: 3, workers: 1 }, { kubernetes: { version: `1.36.${patch}` } })

it('an upgrade of Kubernetes that is killed at a request is taken back by nobody, goes on and converges', {
  timeout: cutTimeoutMs,
}, async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: kubernetesAt(0) })
  let patch = 0
  let between = 0
  // It asks 108 times: first looks and pulls, then goes through components, kubelets and manifests.
  for (const after of cutPoints([40, 51, 66, 83, 97], 108)) {
    patch++
    const file = kubernetesAt(patch)
    const loseLast = patch % 2 === 0
    await cutOff(bench, { after, loseLast }, (run) => upgradeCluster(run, { file }))
    // What an apply does in between neither continues with it nor takes any of it back.
    const versions = configuredVersions(world)
    if (new Set(versions).size > 1) between++
    const { plan: applied } = await applyCluster(bench.run(), { file })
    expect(applied.changes, `apply after a cut at ${after}`).toEqual([])
    expect(configuredVersions(world)).toEqual(versions)

    await upgradeCluster(bench.run(), { file })
    expect(new Set(configuredVersions(world))).toEqual(new Set([`1.36.${patch}`]))
    expect(kubelets(world), `cut after ${after}`).toEqual(
      ['control-plane-1', 'control-plane-2', 'control-plane-3', 'workers-1'].map(
        (name) => `demo-${name} v1.36.${patch}`,
      ),
    )
    const inventory = await inventoryOf(bench)
    expect(inventory.manifestsVersion).toBe(`1.36.${patch}`)
    expect(inventory.nodes.filter(({ arriving, components }) => arriving ?? components)).toEqual([])
    const { plan } = await planCluster(bench.run(), { file, verb: 'upgrade' })
    expect([...plan.changes, ...plan.waiting]).toEqual([])
    await expectTidy(bench)
  }
  expect(between).toBeGreaterThanOrEqual(3)
})

/** Each image of Kubernetes that the nodes' configs name, as the nodes hold them. */
function configuredVersions(world: World): string[] {
  return [...world.machines.values()].flatMap(({ disk }) => {
    const text = String(disk.state.get('talos.config') ?? '')
    const images = text.matchAll(/(?:kube-[a-z-]+|siderolabs\/kubelet):v(\d+\.\d+\.\d+)/g)
    return [...images].map(([, version = '']) => version)
  })
}

function kubelets(world: World): string[] {
  return nodesOf(world).map(
    (node) => `${node.metadata.name} ${textAt(node, 'status', 'nodeInfo', 'kubeletVersion')}`,
  )
}
