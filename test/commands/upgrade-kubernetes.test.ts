import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { listAt, textAt } from '../../src/lib/kubernetes-object.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { kubernetesOf, nodesOf, usableNodes } from './simulated-kubernetes.ts'
import { expectTidy, inventoryOf } from './world-facts.ts'

const sizes = { controlPlanes: 3, workers: 2 }
const at = (kubernetes: string, talos = 'v1.13.9') =>
  clusterFile(sizes, { talos: { version: talos }, kubernetes: { version: kubernetes } })
const controlPlanes = [1, 2, 3].map((slot) => `demo-control-plane-${slot}`)
const nodes = [...controlPlanes, 'demo-workers-1', 'demo-workers-2']

// One cluster, taken up from 1.34.
let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file: at('1.34.1') })
})

afterAll(() => bench[Symbol.asyncDispose]())

/** What runs, as the cluster itself tells it: each kubelet, and each static pod by its image's tag. */
function running(): Record<string, string> {
  const { store } = kubernetesOf(bench.sandbox.world).context
  const kubelets = nodesOf(bench.sandbox.world).map((node) => [
    `kubelet-${node.metadata.name}`,
    textAt(node, 'status', 'nodeInfo', 'kubeletVersion') ?? '',
  ])
  const pods = store
    .list('pods', 'kube-system')
    .filter(({ metadata }) => metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined)
    .map((pod) => [pod.metadata.name, imageOf(pod)])
  return Object.fromEntries([...kubelets, ...pods])
}

function imageOf(pod: Parameters<typeof listAt>[0]): string {
  return (textAt(listAt(pod, 'spec', 'containers')[0], 'image') ?? '').replace(/^.*:/, '')
}

it('takes Kubernetes up component by component, and leaves nothing to do', async () => {
  const { world } = bench.sandbox
  const boots = [...world.machines.values()].map(({ bootId }) => bootId)
  const file = at('1.35.4')
  const { plan: waits } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(waits.waiting.map(({ key }) => key)).toContain('kubernetes/kube-apiserver')
  await applyCluster(bench.run(), { file })
  expect(new Set(Object.values(running()))).toEqual(new Set(['v1.34.1']))

  const seen: string[] = []
  world.onRequest(() => {
    for (const [name, version] of Object.entries(running())) {
      if (version === 'v1.35.4' && !seen.includes(name)) seen.push(name)
    }
  })
  const { plan } = await upgradeCluster(bench.run(), { file })
  expect(plan.changes.map(({ key }) => key)).toEqual([
    'kubernetes/kube-apiserver',
    'kubernetes/kube-controller-manager',
    'kubernetes/kube-scheduler',
    ...nodes.map((name) => `kubelet/${name}`),
    'kubernetes/bootstrap-manifests',
  ])
  const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']
  expect(seen).toEqual([
    ...components.flatMap((component) => controlPlanes.map((name) => `${component}-${name}`)),
    ...nodes.map((name) => `kubelet-${name}`),
  ])
  expect(new Set(Object.values(running()))).toEqual(new Set(['v1.35.4']))
  expect([...world.machines.values()].map(({ bootId }) => bootId)).toEqual(boots)
  expect(usableNodes(world)).toEqual(nodes)

  for (const verb of ['apply', 'upgrade'] as const) {
    const next = await planCluster(bench.run(), { file, verb })
    expect([...next.plan.changes, ...next.plan.waiting]).toEqual([])
  }
  const inventory = await inventoryOf(bench)
  expect(inventory.nodes.map(({ kubernetesVersion }) => kubernetesVersion)).toEqual(
    nodes.map(() => '1.35.4'),
  )
  expect(inventory.nodes.filter(({ arriving, components }) => arriving ?? components)).toEqual([])
  await expectTidy(bench)
})
