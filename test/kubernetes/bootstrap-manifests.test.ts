import { expect, test } from 'vitest'
import { syncBootstrapManifests } from '../../src/kubernetes/bootstrap-manifests.ts'
import { fieldAt, type KubernetesObject, textAt } from '../../src/lib/kubernetes-object.ts'
import { startSimCluster } from './sim-cluster.ts'

const dns = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'kube-system', name: 'coredns' }
const inventoryRef = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'kube-system',
  name: 'talos-bootstrap-manifests-inventory',
}

function configMap(name: string, text: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'kube-system' },
    data: { text },
  }
}

function role(name: string): KubernetesObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
    rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
  }
}

async function synced(
  { client, world }: Awaited<ReturnType<typeof startSimCluster>>,
  objects: readonly KubernetesObject[],
  inventory = true,
) {
  const { clock } = world
  const options = { inventory, rollout: false, clock, withinMs: 60_000 }
  const { changed, removed } = await syncBootstrapManifests(client, objects, options)
  return { changed: changed.map(({ name }) => name), removed: removed.map(({ name }) => name) }
}

test('what differs is brought in line, in the name of Talos; what does not is left', async () => {
  const cluster = await startSimCluster()
  const { client } = cluster
  expect(await synced(cluster, [configMap('a', 'one'), configMap('b', 'two')])).toEqual({
    changed: ['a', 'b'],
    removed: [],
  })
  expect(await synced(cluster, [configMap('a', 'one'), configMap('b', 'three')])).toEqual({
    changed: ['b'],
    removed: [],
  })
  const live = await client.get({ ...inventoryRef, name: 'b' })
  expect(fieldAt(live, 'data', 'text')).toBe('three')
  expect(textAt(live, 'metadata', 'managedFields', 0, 'manager')).toBe('talos')
})

test('what left the inventory of Talos is removed, unless it is somebody else’s by now', async () => {
  const cluster = await startSimCluster()
  const { client } = cluster
  await synced(cluster, [role('system:a'), configMap('b', ''), configMap('c', '')])
  expect(Object.keys(fieldAt(await client.get(inventoryRef), 'data') ?? {})).toEqual([
    '_system__a_rbac.authorization.k8s.io_ClusterRole',
    'kube-system_b__ConfigMap',
    'kube-system_c__ConfigMap',
  ])
  await client.patch(
    { ...inventoryRef, name: 'b' },
    { metadata: { annotations: { 'config.k8s.io/owning-inventory': 'another' } } },
  )
  expect(await synced(cluster, [configMap('c', '')])).toEqual({
    changed: [],
    removed: ['system:a'],
  })
  expect(await client.get({ ...inventoryRef, name: 'b' })).toBeDefined()
})

test('where Talos keeps no inventory yet, nothing is marked and nothing removed', async () => {
  const cluster = await startSimCluster()
  await synced(cluster, [configMap('a', ''), configMap('b', '')], false)
  expect((await synced(cluster, [configMap('a', '')], false)).removed).toEqual([])
  expect(await cluster.client.get(inventoryRef)).toBeUndefined()
  const live = await cluster.client.get({ ...inventoryRef, name: 'a' })
  expect(fieldAt(live, 'metadata', 'annotations')).toBeUndefined()
})

test('workloads are waited for, and what they wait for is said', async () => {
  const { client, world } = await startSimCluster()
  const live = await client.get(dns)
  if (!live) throw new Error('the cluster has CoreDNS')
  const { metadata: _metadata, status: _status, ...rest } = live
  const object = { ...rest, metadata: { name: dns.name, namespace: dns.namespace } }
  const { clock } = world
  const sync = syncBootstrapManifests(client, [object], {
    inventory: false,
    rollout: true,
    clock,
    withinMs: 4_000,
  })
  // A cluster without nodes runs no pods.
  await expect(sync).rejects.toMatchObject({
    code: 'wait-timeout',
    message: expect.stringContaining('Deployment kube-system/coredns: 0 of 2 pods are'),
  })
})
