import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import type { KubeObject } from '../../../src/sandbox/kubernetes/model/kube-object.ts'
import { numberAt, objectsAt, textAt } from '../../../src/sandbox/kubernetes/model/read-json.ts'
import { cilium, daemonSet, deployment, deployments } from './sample-objects.ts'
import { node, type SimCluster, startCluster } from './sim-cluster.ts'

const tolerant = { tolerations: [{ operator: 'Exists' }] }

async function startWorkers(count: number): Promise<SimCluster> {
  const cluster = await startCluster()
  for (let index = 1; index <= count; index++) cluster.sim.registerNode(node(`w-${index}`, index))
  await cluster.apply('/apis/apps/v1/namespaces/kube-system/daemonsets/cilium', 'us', cilium)
  await cluster.until(() => allReady(cluster, count))
  return cluster
}

function allReady({ sim }: SimCluster, count: number): boolean {
  return (
    sim.context.store.list('nodes').filter(({ metadata }) => sim.nodeReady(metadata.name))
      .length === count
  )
}

function podsOf({ sim }: SimCluster, namespace = 'default'): KubeObject[] {
  return sim.context.store.list('pods', namespace)
}

function isRunning(pod: KubeObject): boolean {
  return objectsAt(pod, 'status', 'containerStatuses').some((status) => status['ready'] === true)
}

const status = (cluster: SimCluster, resource: string, name: string, field: string) =>
  numberAt(cluster.get(resource, `default/${name}`), 'status', field) ?? 0

describe('a Deployment', () => {
  test('spreads its pods over the nodes and counts them', async () => {
    const cluster = await startWorkers(2)
    await cluster.apply(`${deployments}/web`, 'us', deployment({ replicas: 4, spec: tolerant }))
    await cluster.until(() => status(cluster, 'deployments.apps', 'web', 'availableReplicas') === 4)
    expect(cluster.get('deployments.apps', 'default/web')).toMatchObject({
      metadata: { annotations: { 'deployment.kubernetes.io/revision': '1' } },
      status: { observedGeneration: 1, updatedReplicas: 4, readyReplicas: 4 },
    })
    const places = podsOf(cluster).map((pod) => textAt(pod, 'spec', 'nodeName'))
    expect(places.toSorted()).toEqual(['w-1', 'w-1', 'w-2', 'w-2'])
  })

  test('rolls to a new template without falling below what it may', async () => {
    const cluster = await startWorkers(2)
    await cluster.apply(`${deployments}/web`, 'us', deployment({ replicas: 4, spec: tolerant }))
    await cluster.until(() => status(cluster, 'deployments.apps', 'web', 'availableReplicas') === 4)
    let fewest = 4
    cluster.sim.context.store.subscribe(({ resource }) => {
      if (resource === 'pods') fewest = Math.min(fewest, podsOf(cluster).filter(isRunning).length)
    })
    const next = deployment({ replicas: 4, image: 'nginx:2', spec: {} })
    Object.assign(Object(next['spec']).template.spec, tolerant)
    await cluster.apply(`${deployments}/web`, 'us', next)
    await cluster.until(
      () =>
        podsOf(cluster).length === 4 &&
        podsOf(cluster).every(
          (pod) => isRunning(pod) && textAt(pod, 'spec', 'containers', 0, 'image') === 'nginx:2',
        ),
    )
    expect(fewest).toBeGreaterThanOrEqual(3)
    expect(cluster.get('deployments.apps', 'default/web')).toMatchObject({
      metadata: { annotations: { 'deployment.kubernetes.io/revision': '2' } },
    })
  })

  test('waits where no node takes its pods, and says why', async () => {
    const cluster = await startWorkers(1)
    await cluster.apply(`${deployments}/web`, 'us', deployment({ replicas: 1 }))
    const conditions = () => objectsAt(podsOf(cluster)[0], 'status', 'conditions')
    await cluster.until(() => conditions().length > 0)
    expect(conditions()[0]).toMatchObject({
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: expect.stringContaining(
        '0/1 nodes are available: 1 node(s) had untolerated taint(s) {node.cloudprovider.kubernetes.io/uninitialized: true}',
      ),
    })
  })

  test('waits for the pod network unless it uses the host’s', async () => {
    const cluster = await startCluster()
    cluster.sim.registerNode(node('w-1', 1))
    const onHost = { ...tolerant, hostNetwork: true }
    await cluster.apply(`${deployments}/web`, 'us', deployment({ replicas: 1, spec: tolerant }))
    await cluster.apply(
      `${deployments}/net`,
      'us',
      deployment({ name: 'net', replicas: 1, spec: onHost }),
    )
    await cluster.until(() => status(cluster, 'deployments.apps', 'net', 'readyReplicas') === 1)
    const waiting = podsOf(cluster).find(({ metadata }) => metadata.name.startsWith('web'))
    expect(textAt(waiting, 'status', 'containerStatuses', 0, 'state', 'waiting', 'reason')).toBe(
      'ContainerCreating',
    )
  })

  test('keeps its pods apart where their affinity says so', async () => {
    const cluster = await startWorkers(2)
    const affinity = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            topologyKey: 'kubernetes.io/hostname',
            labelSelector: { matchLabels: { app: 'web' } },
          },
        ],
      },
    }
    const spec = { ...tolerant, affinity }
    await cluster.apply(`${deployments}/web`, 'us', deployment({ replicas: 3, spec }))
    await cluster.until(() => status(cluster, 'deployments.apps', 'web', 'readyReplicas') === 2)
    const places = podsOf(cluster).map((pod) => textAt(pod, 'spec', 'nodeName'))
    expect(places.toSorted()).toEqual(['', 'w-1', 'w-2'])
  })

  test('is refused pods whose service account is missing, and tries again', async () => {
    const cluster = await startWorkers(1)
    const spec = { ...tolerant, serviceAccountName: 'web' }
    await cluster.apply(`${deployments}/web`, 'us', deployment({ replicas: 1, spec }))
    const { store } = cluster.sim.context
    await cluster.until(() =>
      store.list('events', 'default').some((event) => textAt(event, 'reason') === 'FailedCreate'),
    )
    await cluster.apply('/api/v1/namespaces/default/serviceaccounts/web', 'us', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'web' },
    })
    await cluster.until(() => status(cluster, 'deployments.apps', 'web', 'readyReplicas') === 1)
  })

  test('takes everything with it when it is deleted', async () => {
    const cluster = await startWorkers(1)
    await cluster.apply(`${deployments}/web`, 'us', deployment({ spec: tolerant }))
    await cluster.until(() => status(cluster, 'deployments.apps', 'web', 'readyReplicas') === 2)
    const body = { propagationPolicy: 'Foreground' }
    await cluster.call('DELETE', `${deployments}/web`, { body })
    const { store } = cluster.sim.context
    await cluster.until(
      (get) =>
        get('deployments.apps', 'default/web') === undefined &&
        store.list('replicasets.apps', 'default').length === 0 &&
        podsOf(cluster).length === 0,
    )
  })

  test('leaves its ReplicaSets behind as orphans', async () => {
    const cluster = await startWorkers(1)
    await cluster.apply(`${deployments}/web`, 'us', deployment({ spec: tolerant }))
    await cluster.until(() => status(cluster, 'deployments.apps', 'web', 'readyReplicas') === 2)
    await cluster.call('DELETE', `${deployments}/web`, { body: { propagationPolicy: 'Orphan' } })
    await cluster.until((get) => get('deployments.apps', 'default/web') === undefined)
    const { store } = cluster.sim.context
    expect(store.list('replicasets.apps', 'default')[0]?.metadata.ownerReferences).toBeUndefined()
    expect(podsOf(cluster)).toHaveLength(2)
  })
})

describe('a DaemonSet', () => {
  const path = '/apis/apps/v1/namespaces/default/daemonsets/agent'

  test('has one pod on each node that fits, and follows nodes and labels', async () => {
    const cluster = await startWorkers(2)
    const spec = { ...tolerant, nodeSelector: { disk: 'ssd' } }
    await cluster.apply(path, 'us', daemonSet({ spec }))
    const label = (value: string | null) =>
      cluster.call('PATCH', '/api/v1/nodes/w-1', {
        body: { metadata: { labels: { disk: value } } },
        contentType: 'application/merge-patch+json',
      })
    await label('ssd')
    await cluster.until(() => status(cluster, 'daemonsets.apps', 'agent', 'numberReady') === 1)
    cluster.sim.registerNode(node('w-3', 3, { labels: { disk: 'ssd' } }))
    await cluster.until(() => status(cluster, 'daemonsets.apps', 'agent', 'numberAvailable') === 2)
    await label(null)
    await cluster.until(() => podsOf(cluster).length === 1)
  })

  test('exchanges its pods for a new template, one node at a time', async () => {
    const cluster = await startWorkers(3)
    await cluster.apply(path, 'us', daemonSet({ spec: tolerant }))
    await cluster.until(() => status(cluster, 'daemonsets.apps', 'agent', 'numberReady') === 3)
    await cluster.apply(path, 'us', daemonSet({ spec: tolerant, annotations: { restarted: '1' } }))
    await cluster.until(
      () =>
        status(cluster, 'daemonsets.apps', 'agent', 'observedGeneration') === 2 &&
        status(cluster, 'daemonsets.apps', 'agent', 'updatedNumberScheduled') === 3 &&
        status(cluster, 'daemonsets.apps', 'agent', 'numberAvailable') === 3,
    )
  })

  test('goes on running on a cordoned node', async () => {
    const cluster = await startWorkers(1)
    await cluster.call('PATCH', '/api/v1/nodes/w-1', {
      body: { spec: { unschedulable: true } },
      contentType: 'application/strategic-merge-patch+json',
    })
    const spec = {
      tolerations: [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', operator: 'Exists' }],
    }
    await cluster.apply(path, 'us', daemonSet({ spec }))
    await cluster.apply(`${deployments}/web`, 'us', deployment({ spec }))
    await cluster.until(() => status(cluster, 'daemonsets.apps', 'agent', 'numberReady') === 1)
    expect(status(cluster, 'deployments.apps', 'web', 'readyReplicas')).toBe(0)
  })
})

describe('a Job', () => {
  const path = '/apis/batch/v1/namespaces/default/jobs'
  const job = (annotations: Record<string, string>): JsonObject => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'once' },
    spec: {
      completions: 2,
      backoffLimit: 1,
      template: {
        metadata: { annotations },
        spec: { ...tolerant, restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] },
      },
    },
  })

  test.each([
    ['is complete when enough of its pods have ended well', {}, 'Complete'],
    ['fails when too many of them have ended badly', { 'sandbox/fate': 'fails' }, 'Failed'],
  ])('%s', async (_, annotations, outcome) => {
    const cluster = await startWorkers(1)
    await cluster.call('POST', path, { body: job(annotations) })
    await cluster.until((get) =>
      objectsAt(get('jobs.batch', 'default/once'), 'status', 'conditions').some(
        (condition) => textAt(condition, 'type') === outcome,
      ),
    )
  })
})

describe('a StatefulSet', () => {
  test('makes its pods one after the other, under names that stay', async () => {
    const cluster = await startWorkers(1)
    const made: string[] = []
    cluster.sim.context.store.subscribe(({ type, resource, object }) => {
      if (type === 'ADDED' && resource === 'pods') made.push(object.metadata.name)
    })
    const labels = { app: 'db' }
    await cluster.call('POST', '/apis/apps/v1/namespaces/default/statefulsets', {
      body: {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'db' },
        spec: {
          replicas: 3,
          serviceName: 'db',
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { ...tolerant, containers: [{ name: 'db', image: 'db:1' }] },
          },
        },
      },
    })
    await cluster.until(() => status(cluster, 'statefulsets.apps', 'db', 'readyReplicas') === 3)
    expect(made).toEqual(['db-0', 'db-1', 'db-2'])
    await cluster.call('DELETE', '/api/v1/namespaces/default/pods/db-1')
    await cluster.until(
      () => made.length === 4 && status(cluster, 'statefulsets.apps', 'db', 'readyReplicas') === 3,
    )
    expect(made[3]).toBe('db-1')
  })
})
