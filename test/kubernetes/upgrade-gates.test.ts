import { expect, test } from 'vitest'
import { gateClosedBecause } from '../../src/kubernetes/upgrade-gates.ts'
import type { KubernetesObject } from '../../src/lib/kubernetes-object.ts'
import { startSimCluster } from './sim-cluster.ts'

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }

function deployment(replicas: number): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'web:1' }] },
      },
    },
  }
}

test('a workload opens its gate when it is rolled out; one that is scaled to none is open', async () => {
  const { client } = await startSimCluster()
  const apply = (object: KubernetesObject) =>
    client.applyServerSide(object, { fieldManager: 'test', force: true })
  expect(await gateClosedBecause(client, web)).toBe('Deployment default/web is not there')
  await apply(deployment(1))
  expect(await gateClosedBecause(client, web)).toMatch(/^Deployment default\/web: /)
  await apply(deployment(0))
  expect(await gateClosedBecause(client, web)).toBeUndefined()
})

test('an object opens its gate when its condition is True, and a kind that is not there keeps it closed', async () => {
  const { client, sim } = await startSimCluster()
  await client.applyServerSide(deployment(1), { fieldManager: 'test', force: true })
  const gate = { ...web, condition: 'Healthy' }
  expect(await gateClosedBecause(client, gate)).toBe('Deployment default/web is not Healthy yet')
  const { store } = sim.context
  const live = store.get('deployments.apps', 'default/web')
  if (!live) throw new Error('it was applied')
  const condition = {
    type: 'Healthy',
    status: 'False',
    reason: 'Failing',
    message: 'a replica is gone',
  }
  store.put('deployments.apps', { ...live, status: { conditions: [condition] } })
  expect(await gateClosedBecause(client, gate)).toMatch(/is not Healthy: a replica is gone$/)
  store.put('deployments.apps', {
    ...live,
    status: { conditions: [{ ...condition, status: 'True' }] },
  })
  expect(await gateClosedBecause(client, gate)).toBeUndefined()
  const unknown = {
    apiVersion: 'db.example.org/v1',
    kind: 'Cluster',
    name: 'main',
    condition: 'Ready',
  }
  expect(await gateClosedBecause(client, unknown)).toBe(
    'Cluster main: the cluster has no Cluster in db.example.org/v1',
  )
})
