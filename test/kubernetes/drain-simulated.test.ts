import { expect, test } from 'vitest'
import { applySet } from '../../src/kubernetes/apply-set.ts'
import { drain } from '../../src/kubernetes/drain.ts'
import { cordon, uncordon, waitForNodesReady } from '../../src/kubernetes/nodes.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { type KubernetesObject, textAt } from '../../src/lib/kubernetes-object.ts'
import { waitFor } from '../../src/lib/wait-for.ts'
import { registerNode, type SimCluster, startSimCluster } from './sim-cluster.ts'

const nodes = ['demo-workers-1', 'demo-workers-2']

function workload(kind: string, name: string, spec: JsonObject = {}): KubernetesObject {
  const labels = { app: name }
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          // What makes nodes usable runs before they are, on the network of the node itself.
          ...(kind === 'DaemonSet'
            ? { hostNetwork: true, tolerations: [{ operator: 'Exists' }] }
            : {}),
          containers: [
            { name, image: `${name}:1`, env: [{ name: 'HCLOUD_NETWORK', value: 'demo' }] },
          ],
        },
      },
      ...spec,
    },
  }
}

/** Two Ready nodes with two pods of `web`, of which one must always be there. */
async function clusterWithPods(minAvailable: number): Promise<SimCluster> {
  const cluster = await startSimCluster()
  const { client, sim, world } = cluster
  registerNode(sim, 'demo-workers-1', 11)
  registerNode(sim, 'demo-workers-2', 12)
  const objects = [
    workload('DaemonSet', 'cilium'),
    workload('DaemonSet', 'hcloud-cloud-controller-manager'),
    workload('Deployment', 'web', { replicas: 2 }),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable, selector: { matchLabels: { app: 'web' } } },
    },
  ]
  const hooks = { before: [], after: [] }
  await applySet(client, { name: 'web', namespace: 'kube-system', objects, hooks }, world)
  const named = nodes.map((name) => ({ name }))
  await waitForNodesReady(client, named, { clock: world.clock, withinMs: 600_000 })
  await waitForWeb(cluster, (placed) => placed.length === 2)
  return cluster
}

/** Waits until the nodes of the running pods of `web` are as they should be, and the budget knows. */
async function waitForWeb(
  { client, world }: SimCluster,
  isRight: (nodes: string[]) => boolean,
): Promise<void> {
  const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', name: 'web' }
  await waitFor(
    'the pods of web',
    async () => {
      const pods = await client.list({ apiVersion: 'v1', kind: 'Pod', labelSelector: 'app=web' })
      const running = pods.filter((pod) => textAt(pod, 'status', 'phase') === 'Running')
      const placed = running.flatMap((pod) => textAt(pod, 'spec', 'nodeName') ?? [])
      const known = await client.get({ ...budget, namespace: 'kube-system' })
      const counted = known?.['status'] !== undefined
      return counted && isRight(placed) ? { done: undefined } : { pending: placed.join(' ') }
    },
    { clock: world.clock, everyMs: 1_000, withinMs: 600_000 },
  )
}

test('pods move to the other node, one at a time as their budget wants', async () => {
  const cluster = await clusterWithPods(1)
  const { client, world } = cluster
  await cordon(client, 'demo-workers-1', 'run-1')
  await drain(client, 'demo-workers-1', { clock: world.clock, withinMs: 600_000 })
  await waitForWeb(
    cluster,
    (placed) => placed.length === 2 && placed.every((node) => node === 'demo-workers-2'),
  )
  expect(await uncordon(client, 'demo-workers-1')).toBe(true)
  expect(world.contractErrors).toEqual([])
})

test('a budget that allows nothing is named, and nothing is lost', async () => {
  const { client, world } = await clusterWithPods(2)
  for (const node of nodes) await cordon(client, node, 'run-1')
  const draining = drain(client, 'demo-workers-1', { clock: world.clock, withinMs: 20_000 })
  await expect(draining).rejects.toMatchObject({
    code: 'drain-blocked',
    message: expect.stringContaining('PodDisruptionBudget kube-system/web'),
  })
  const pods = await client.list({ apiVersion: 'v1', kind: 'Pod', labelSelector: 'app=web' })
  expect(pods).toHaveLength(2)
})
