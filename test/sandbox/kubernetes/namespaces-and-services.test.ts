import { expect, test } from 'vitest'
import { objectsAt, textAt } from '../../../src/sandbox/kubernetes/model/read-json.ts'
import { cilium, configMap, deployment, deployments } from './sample-objects.ts'
import { node, startCluster } from './sim-cluster.ts'

test('the usual namespaces are there, each with its account and the CA', async () => {
  const cluster = await startCluster()
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    expect(cluster.get('namespaces', name)).toMatchObject({ status: { phase: 'Active' } })
    await cluster.until((get) => get('serviceaccounts', `${name}/default`) !== undefined)
    expect(cluster.get('configmaps', `${name}/kube-root-ca.crt`)).toMatchObject({
      data: { 'ca.crt': cluster.ca.crt },
    })
  }
})

test('a namespace empties before it goes, and takes nothing new meanwhile', async () => {
  const { call, until, sim } = await startCluster()
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }
  await call('POST', '/api/v1/namespaces', { body })
  const held = { ...configMap('held'), metadata: { name: 'held', finalizers: ['example.org/x'] } }
  await call('POST', '/api/v1/namespaces/shop/configmaps', { body: held })
  await call('POST', '/api/v1/namespaces/shop/configmaps', { body: configMap('free') })
  const gone = await call('DELETE', '/api/v1/namespaces/shop')
  expect(gone.json).toMatchObject({ status: { phase: 'Terminating' } })
  await until((get) => get('configmaps', 'shop/free') === undefined)
  const late = await call('POST', '/api/v1/namespaces/shop/configmaps', { body: configMap('late') })
  expect(late.json).toMatchObject({
    code: 403,
    details: { causes: [{ reason: 'NamespaceTerminating' }] },
  })
  await call('PATCH', '/api/v1/namespaces/shop/configmaps/held', {
    body: { metadata: { finalizers: null } },
    contentType: 'application/merge-patch+json',
  })
  await until((get) => get('namespaces', 'shop') === undefined)
  expect(sim.context.store.list('configmaps', 'shop')).toEqual([])
})

test('a Service has an address of its own and the pods that answer for it', async () => {
  const cluster = await startCluster()
  cluster.sim.registerNode(node('w-1', 1))
  await cluster.apply('/apis/apps/v1/namespaces/kube-system/daemonsets/cilium', 'us', cilium)
  const spec = { tolerations: [{ operator: 'Exists' }] }
  await cluster.apply(`${deployments}/web`, 'us', deployment({ spec }))
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  }
  const made = await cluster.call('POST', '/api/v1/namespaces/default/services', { body: service })
  expect(made.json).toMatchObject({
    spec: {
      type: 'ClusterIP',
      clusterIP: expect.stringMatching(/^10\./),
      ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }],
    },
  })
  await cluster.until(
    (get) => objectsAt(get('endpoints', 'default/web'), 'subsets', 0, 'addresses').length === 2,
  )
  const slice = cluster.get('endpointslices.discovery.k8s.io', 'default/web-slice')
  expect(textAt(slice, 'endpoints', 0, 'addresses', 0)).toMatch(/^10\.244\./)
})
