import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { textAt } from '../../src/lib/kubernetes-object.ts'
import { type KubeObject, withSpec } from '../../src/sandbox/kubernetes/model/kube-object.ts'
import { objectAt } from '../../src/sandbox/kubernetes/model/read-json.ts'
import { deleteServerByHand, idOf } from './by-hand.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { kubernetesOf, nodeNames, nodesOf, usableNodes } from './simulated-kubernetes.ts'
import { expectTidy, inventoryOf } from './world-facts.ts'

// A cluster with a cloud controller manager, which deletes the Node of a server that is gone.
// What this test takes away of it is not put back by an apply.
const file = clusterFile({ controlPlanes: 3, workers: 2 }, { policy: { onAddonDrift: 'report' } })
let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
})

afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

/** The server by which Kubernetes knows each node, and the one that it has. */
function providers(): { readonly known: string; readonly has: string }[] {
  const { world } = bench.sandbox
  return nodesOf(world).map((node) => ({
    known: textAt(node, 'spec', 'providerID') ?? '',
    has: `hcloud://${idOf(world.hetzner.servers, node.metadata.name)}`,
  }))
}

/**
 * Nobody looks after Nodes until the new kubelet of this one has registered: the cloud controller manager
 * is away, as it is for a while when its own server was the one that went.
 */
function keepCloudControllerAway(until: string): void {
  const { store } = kubernetesOf(bench.sandbox.world).context
  const program = 'hcloud-cloud-controller-manager'
  const daemonSet = store.get('daemonsets.apps', `kube-system/${program}`)
  if (!daemonSet) throw new Error('the cluster has no cloud controller manager')
  for (const resource of ['daemonsets.apps', 'pods']) {
    for (const { metadata } of store.list(resource, 'kube-system')) {
      if (metadata.name.startsWith(program)) store.remove(resource, `kube-system/${metadata.name}`)
    }
  }
  const bootOf = (node: KubeObject | undefined) => textAt(node, 'status', 'nodeInfo', 'bootID')
  const before = bootOf(store.get('nodes', until))
  const stop = store.subscribe(({ resource, type, object }) => {
    if (resource !== 'nodes' || object.metadata.name !== until || type === 'DELETED') return
    if ((bootOf(object) ?? before) === before) return
    stop()
    store.put('daemonsets.apps', daemonSet)
  })
}

it.each(['demo-workers-2', 'demo-control-plane-3'])(
  'the new server of %s gets a Node of its own, not that of the server that was deleted',
  async (name) => {
    const { world } = bench.sandbox
    const before = idOf(world.hetzner.servers, name)
    keepCloudControllerAway(name)
    await deleteServerByHand(bench, name)
    await applyCluster(bench.run(), { file })
    expect(idOf(world.hetzner.servers, name)).not.toBe(before)
    expect(usableNodes(world)).toHaveLength(5)
    for (const { known, has } of providers()) expect(known).toBe(has)
    const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
    expect(plan.changes).toEqual([])
  },
)

it('a node that Kubernetes knows as another server, or not at all, registers again in the next apply', async () => {
  const { world } = bench.sandbox
  const { store } = kubernetesOf(world).context
  const [foreign, missing] = ['demo-workers-1', 'demo-control-plane-2']
  const node = store.get('nodes', foreign)
  if (!node) throw new Error(`there is no node ${foreign}`)
  store.put('nodes', withSpec(node, { ...objectAt(node, 'spec'), providerID: 'hcloud://4711' }))
  kubernetesOf(world).deleteNode(missing)
  const { plan } = await applyCluster(bench.run(), { file })
  expect(plan.changes.map(({ action, key }) => `${action} ${key}`).sort()).toEqual([
    `update node/${missing}`,
    `update node/${foreign}`,
  ])
  expect(usableNodes(world)).toHaveLength(5)
  for (const { known, has } of providers()) expect(known).toBe(has)
})

it('a replacement whose server could not be deleted is in the next plan, and the next apply finishes it', async () => {
  const { world } = bench.sandbox
  const name = 'demo-workers-1'
  const before = idOf(world.hetzner.servers, name)
  world.faults.injectAction({
    command: 'delete_server',
    outcome: { error: { code: 'action_failed', message: 'Action failed' } },
  })
  await expect(applyCluster(bench.run(), { file, replace: [name] })).rejects.toMatchObject({
    code: 'hetzner-failed',
  })
  expect(idOf(world.hetzner.servers, name)).toBe(before)
  expect(nodeNames(world)).not.toContain(name)
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.changes.map(({ action, key, reason }) => `${action} ${key}: ${reason}`)).toEqual([
    `replace server/${name}: its removal was started`,
    `create node/${name}: it gets its machine config and joins`,
  ])
  await applyCluster(bench.run(), { file })
  expect(idOf(world.hetzner.servers, name)).not.toBe(before)
  expect(usableNodes(world)).toHaveLength(5)
})

it('a worker that is removed is remembered until its server is gone', async () => {
  const { world } = bench.sandbox
  const name = 'demo-workers-2'
  const fewer = clusterFile({ controlPlanes: 3, workers: 1 })
  const refusal = { code: 'action_failed', message: 'Action failed' }
  world.faults.injectAction({ command: 'delete_server', outcome: { error: refusal } })
  await expect(applyCluster(bench.run(), { file: fewer })).rejects.toMatchObject({
    code: 'hetzner-failed',
  })
  const { plan } = await planCluster(bench.run(), { file: fewer, verb: 'apply' })
  expect(plan.changes.map(({ action, key }) => `${action} ${key}`)).toEqual([
    `delete node/${name}`,
    `delete server/${name}`,
  ])
  // Whoever wants it back gets a new server: this one has left.
  const back = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(back.plan.changes.map(({ action, key }) => `${action} ${key}`)).toEqual([
    `replace server/${name}`,
    `create node/${name}`,
  ])
  await applyCluster(bench.run(), { file: fewer })
  expect((await inventoryOf(bench)).nodes.map((node) => node.name)).not.toContain(name)
  const gone = await planCluster(bench.run(), { file: fewer, verb: 'apply' })
  expect(gone.plan.changes).toEqual([])
})
