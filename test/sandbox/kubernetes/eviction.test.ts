import { expect, test } from 'vitest'
import type { Json } from '../../../src/lib/json.ts'
import { evictPod } from '../../../src/sandbox/kubernetes/api/evict-pod.ts'
import { ApiError } from '../../../src/sandbox/kubernetes/model/api-error.ts'
import { numberAt, textAt } from '../../../src/sandbox/kubernetes/model/read-json.ts'
import { cilium, deployment, deployments } from './sample-objects.ts'
import { node, type SimCluster, startCluster } from './sim-cluster.ts'

const pods = '/api/v1/namespaces/default/pods'
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'

async function startWeb(minAvailable?: Json): Promise<SimCluster> {
  const cluster = await startCluster()
  for (const index of [1, 2]) cluster.sim.registerNode(node(`w-${index}`, index))
  await cluster.apply('/apis/apps/v1/namespaces/kube-system/daemonsets/cilium', 'us', cilium)
  const spec = { tolerations: [{ operator: 'Exists' }] }
  await cluster.apply(`${deployments}/web`, 'us', deployment({ replicas: 3, spec }))
  await cluster.until(
    (get) => numberAt(get('deployments.apps', 'default/web'), 'status', 'readyReplicas') === 3,
  )
  if (minAvailable !== undefined) await addBudget(cluster, 'web', minAvailable)
  return cluster
}

async function addBudget(cluster: SimCluster, name: string, minAvailable: Json): Promise<void> {
  const spec = { minAvailable, selector: { matchLabels: { app: 'web' } } }
  const body = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec }
  await cluster.call('POST', budgets, { body })
  await cluster.until(
    (get) =>
      numberAt(get('poddisruptionbudgets.policy', `default/${name}`), 'status', 'expectedPods') ===
      3,
  )
}

function evict(cluster: SimCluster, name: string, query = '') {
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, deleteOptions: {} }
  return cluster.call('POST', `${pods}/${name}/eviction${query}`, { body })
}

function names({ sim }: SimCluster): string[] {
  return sim.context.store.list('pods', 'default').map(({ metadata }) => metadata.name)
}

test('an evicted pod goes, and its owner makes another', async () => {
  const cluster = await startWeb()
  const [first = ''] = names(cluster)
  const answer = await evict(cluster, first)
  expect(answer).toMatchObject({ status: 201, json: { status: 'Success' } })
  await cluster.until(() => names(cluster).length === 3 && !names(cluster).includes(first))
})

test('a budget refuses what it has no room for, with its name and figures', async () => {
  const cluster = await startWeb('100%')
  const [first = ''] = names(cluster)
  const { status, json } = await evict(cluster, first)
  expect(status).toBe(429)
  expect(json).toMatchObject({
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [
        {
          reason: 'DisruptionBudget',
          message: 'The disruption budget web needs 3 healthy pods and has 3 currently',
        },
      ],
    },
  })
  expect(names(cluster)).toContain(first)
})

test('the room of a budget is used once, however fast one asks', async () => {
  const { sim } = await startWeb(2)
  const outcomes = sim.context.store.list('pods', 'default').map((pod) => {
    try {
      evictPod(sim.context, pod, {})
      return 'evicted'
    } catch (error) {
      return error instanceof ApiError ? error.code : error
    }
  })
  expect(outcomes).toEqual(['evicted', 429, 429])
})

test('a dry run asks without evicting', async () => {
  const cluster = await startWeb(2)
  const [first = ''] = names(cluster)
  for (let time = 0; time < 3; time++) {
    expect((await evict(cluster, first, '?dryRun=All')).status).toBe(201)
  }
  expect(names(cluster)).toContain(first)
})

test('a pod with two budgets cannot be evicted at all', async () => {
  const cluster = await startWeb(1)
  await addBudget(cluster, 'other', 1)
  const [first = ''] = names(cluster)
  expect((await evict(cluster, first)).json).toMatchObject({
    code: 500,
    message: expect.stringContaining('more than one PodDisruptionBudget'),
  })
})

test('a pod that is gone is not found', async () => {
  const cluster = await startWeb()
  expect((await evict(cluster, 'nobody')).json).toMatchObject({ code: 404, reason: 'NotFound' })
})

test('a budget follows its pods', async () => {
  const cluster = await startWeb(2)
  const status = () => cluster.get('poddisruptionbudgets.policy', 'default/web')
  expect(status()).toMatchObject({
    status: { expectedPods: 3, currentHealthy: 3, desiredHealthy: 2, disruptionsAllowed: 1 },
  })
  const scale = { spec: { replicas: 5 } }
  const contentType = 'application/merge-patch+json'
  await cluster.call('PATCH', `${deployments}/web`, { body: scale, contentType })
  await cluster.until(() => numberAt(status(), 'status', 'disruptionsAllowed') === 3)
  expect(textAt(status(), 'status', 'conditions', 0, 'reason')).toBe('SufficientPods')
})
