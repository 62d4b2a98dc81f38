import { expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { fieldAt, listAt, textAt } from '../../src/lib/kubernetes-object.ts'
import { toApprovedPlan } from '../../src/plan/verdict.ts'
import type { World } from '../../src/sandbox/world.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { cutOff } from './cut-off.ts'
import { type Bench, startBench } from './harness.ts'
import { kubernetesOf, nodesOf } from './simulated-kubernetes.ts'
import { expectTidy, inventoryOf } from './world-facts.ts'

const at = (talos: string, kubernetes: string) =>
  clusterFile({}, { talos: { version: talos }, kubernetes: { version: kubernetes }, ...bare })
const nodes = ['demo-control-plane-1', 'demo-workers-1']

/** What every node tells Kubernetes of itself. */
function versions(world: World): string[][] {
  return nodesOf(world).map((node) => [
    textAt(node, 'status', 'nodeInfo', 'osImage') ?? '',
    textAt(node, 'status', 'nodeInfo', 'kubeletVersion') ?? '',
  ])
}

function image(world: World, resource: string, name: string): string | undefined {
  const object = kubernetesOf(world).context.store.get(resource, `kube-system/${name}`)
  const containers = object && listAt(object, 'spec', 'template', 'spec', 'containers')
  return textAt(containers?.[0], 'image')
}

async function expectNothingLeft(bench: Bench, file: ReturnType<typeof at>): Promise<void> {
  for (const verb of ['apply', 'upgrade'] as const) {
    const { plan } = await planCluster(bench.run(), { file, verb })
    expect([...plan.changes, ...plan.waiting]).toEqual([])
  }
  await expectTidy(bench)
}

// These clusters have no network of ours: their nodes are never Ready, and that holds nothing up.
it('one press takes Talos up first where the new Talos runs the old Kubernetes', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: at('v1.12.11', '1.35.4') })
  const dns = image(world, 'deployments.apps', 'coredns')
  expect(image(world, 'daemonsets.apps', 'kube-proxy')).toBe('registry.k8s.io/kube-proxy:v1.35.4')
  const file = at('v1.13.9', '1.36.3')
  const { plan } = await upgradeCluster(bench.run(), { file })
  expect(plan.changes.map(({ key }) => key)).toEqual([
    ...nodes.map((name) => `node/${name}`),
    'kubernetes/kube-apiserver',
    'kubernetes/kube-controller-manager',
    'kubernetes/kube-scheduler',
    'kubernetes/kube-proxy',
    ...nodes.map((name) => `kubelet/${name}`),
    'kubernetes/bootstrap-manifests',
  ])
  expect(plan.risk).toBe('drain')
  expect(versions(world)).toEqual(nodes.map(() => ['Talos (v1.13.9)', 'v1.36.3']))
  expect(nodesOf(world).map((node) => fieldAt(node, 'spec', 'unschedulable') ?? false)).toEqual([
    false,
    false,
  ])
  // What Talos brings into the cluster has followed, and is in its inventory.
  expect(image(world, 'daemonsets.apps', 'kube-proxy')).toBe('registry.k8s.io/kube-proxy:v1.36.3')
  expect(image(world, 'deployments.apps', 'coredns')).not.toBe(dns)
  const inventory = kubernetesOf(world).context.store.get(
    'configmaps',
    'kube-system/talos-bootstrap-manifests-inventory',
  )
  expect(Object.keys(fieldAt(inventory, 'data') ?? {})).toContain(
    'kube-system_coredns_apps_Deployment',
  )
  await expectNothingLeft(bench, file)
})

it('and Kubernetes first where it does not; cut off in between, what is left is a part of what was approved', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: at('v1.12.11', '1.30.8') })
  const file = at('v1.13.9', '1.31.5')
  const { plan } = await planCluster(bench.run(), { file, verb: 'upgrade' })
  expect(plan.changes.map(({ key }) => key).slice(-3)).toEqual([
    'kubernetes/bootstrap-manifests',
    ...nodes.map((name) => `node/${name}`),
  ])
  const approved = toApprovedPlan(plan)
  // The worker is being rolled: all of Kubernetes is done, and half of Talos.
  let cut = false
  world.onRequest(({ front, path }) => {
    if (cut || front !== 'kubernetes' || !path.endsWith('/nodes/demo-workers-1')) return
    if (versions(world)[0]?.[0] !== 'Talos (v1.13.9)') return
    cut = true
    world.cutAfter(1)
  })
  const after = Number.POSITIVE_INFINITY
  const ended = await cutOff(bench, { after }, (run) => upgradeCluster(run, { file, approved }))
  expect(ended).toBe(false)
  const { plan: left } = await upgradeCluster(bench.run(), { file, approved })
  expect(left.changes.map(({ key }) => key)).toEqual(['node/demo-workers-1'])
  expect(versions(world)).toEqual(nodes.map(() => ['Talos (v1.13.9)', 'v1.31.5']))
  expect((await inventoryOf(bench)).manifestsVersion).toBe('1.31.5')
  await expectNothingLeft(bench, file)
})

it('a worker that is added meanwhile gets the Kubernetes that the others run', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file: at('v1.13.9', '1.35.4') })
  const grown = clusterFile(
    { workers: 2 },
    { talos: { version: 'v1.13.9' }, kubernetes: { version: '1.36.3' }, ...bare },
  )
  await applyCluster(bench.run(), { file: grown })
  expect(versions(world).map(([, kubelet]) => kubelet)).toEqual(['v1.35.4', 'v1.35.4', 'v1.35.4'])
  await upgradeCluster(bench.run(), { file: grown })
  expect(versions(world).map(([, kubelet]) => kubelet)).toEqual(['v1.36.3', 'v1.36.3', 'v1.36.3'])
  await expectNothingLeft(bench, grown)
})
