import { expect, it } from 'vitest'
import { mintAccess } from '../../src/commands/access/mint-access.ts'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { upgradeCluster } from '../../src/commands/cluster/upgrade-cluster.ts'
import { fieldAt } from '../../src/lib/kubernetes-object.ts'
import { seededRandom } from '../../src/lib/random.ts'
import type { World } from '../../src/sandbox/world.ts'
import { connectKubernetes } from '../kubernetes/connect-kubernetes.ts'
import { clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { kubernetesOf, usableNodes } from './simulated-kubernetes.ts'
import { runWeb } from './workloads.ts'
import { expectTidy, inventoryOf, newestCluster } from './world-facts.ts'

const versions = (talos: string) => ({
  talos: { version: talos },
  kubernetes: { version: '1.35.4' },
})
const sizes = { controlPlanes: 3, workers: 2 }
const file = clusterFile(sizes, versions('v1.12.11'))
const newer = clusterFile(sizes, {
  ...versions('v1.13.9'),
  upgrade: { workloads: ['deployment/default/web'] },
})

const nodes = [
  'demo-control-plane-1',
  'demo-control-plane-2',
  'demo-control-plane-3',
  'demo-workers-1',
  'demo-workers-2',
]

it('an upgrade rolls through five nodes one at a time and never breaks etcd or a budget', async () => {
  await using bench = await startBench()
  const { world } = bench.sandbox
  await applyCluster(bench.run(), { file, keepRule: true })
  await startWeb(bench)
  const boots = bootIds(world)
  const record = watch(world)

  const { plan } = await upgradeCluster(bench.run(), { file: newer })
  expect(plan.changes.map(({ key }) => key)).toEqual(nodes.map((name) => `node/${name}`))
  expect(record.booted).toEqual(nodes)
  expect(record).toMatchObject({ mostAway: 1, quorumLost: false, fewestWeb: 1 })
  // Its gate: no node went before both of them were back.
  expect(record.webBefore).toEqual(nodes.map(() => 2))
  for (const name of nodes) expect(bootIds(world)[name], name).not.toBe(boots[name])
  expect(usableNodes(world)).toEqual(nodes)
  expect(osImages(world)).toEqual(nodes.map(() => 'Talos (v1.13.9)'))
  const inventory = await inventoryOf(bench)
  expect(inventory.nodes.map(({ talosVersion }) => talosVersion)).toEqual(
    nodes.map(() => 'v1.13.9'),
  )

  for (const verb of ['apply', 'upgrade'] as const) {
    const next = await planCluster(bench.run(), { file: newer, verb })
    expect([...next.plan.changes, ...next.plan.waiting]).toEqual([])
  }
  await expectTidy(bench)
})

async function startWeb(bench: Bench): Promise<void> {
  const { world } = bench.sandbox
  const { kubeconfig } = await mintAccess(bench.run(), { file, hours: 1 })
  const { clock } = world
  const client = await connectKubernetes({ kubeconfig, clock, random: seededRandom(1) })
  await runWeb(client, world)
  client.close()
}

function bootIds(world: World): Record<string, string> {
  return Object.fromEntries([...world.machines.values()].map(({ name, bootId }) => [name, bootId]))
}

function osImages(world: World): unknown[] {
  return kubernetesOf(world)
    .context.store.list('nodes')
    .map((node) => fieldAt(node, 'status', 'nodeInfo', 'osImage'))
}

/** Looks at every request how the cluster stands, and keeps the worst of it. */
function watch(world: World) {
  const record = {
    booted: [] as string[],
    mostAway: 0,
    quorumLost: false,
    fewestWeb: Number.POSITIVE_INFINITY,
    webBefore: [] as number[],
  }
  const former = bootIds(world)
  const [etcd] = newestCluster(world).etcds.values()
  etcd?.onChange(() => {
    record.quorumLost ||= !etcd.quorum
  })
  world.onRequest(({ method, path }) => {
    const [, cordoned] = method === 'PATCH' ? (/^\/api\/v1\/nodes\/(.+)$/.exec(path) ?? []) : []
    if (cordoned !== undefined && usableNodes(world).includes(cordoned)) {
      record.webBefore.push(availableWeb(world))
    }
    for (const [name, bootId] of Object.entries(bootIds(world))) {
      if (bootId === former[name]) continue
      if (!record.booted.includes(name)) record.booted.push(name)
    }
    record.mostAway = Math.max(record.mostAway, nodes.length - usableNodes(world).length)
    record.fewestWeb = Math.min(record.fewestWeb, availableWeb(world))
  })
  return record
}

function availableWeb(world: World): number {
  const web = kubernetesOf(world).context.store.get('deployments.apps', 'default/web')
  return Number(fieldAt(web, 'status', 'availableReplicas') ?? 0)
}
