import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RealRack, startRealRack } from './real-rack.ts'

let rack: RealRack
const names = ['cp-1', 'worker-1']

beforeAll(async () => {
  rack = await startRealRack(names)
})
afterAll(async () => {
  await rack?.[Symbol.asyncDispose]()
})

/** Two pods on two nodes, of which one at least must stay, and which either node may take. */
const service = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          terminationGracePeriodSeconds: 1,
          tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }],
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: { app: 'web' } },
            },
          ],
          containers: [{ name: 'pause', image: 'registry.k8s.io/pause:3.10.1' }],
        },
      },
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  },
]

const nodesOf = (path: string) =>
  rack.kubectl('cp-1', 'get', 'nodes', `--output=jsonpath={range .items[*]}${path}{"\\n"}{end}`)

async function podsOf(): Promise<{ readonly uids: string[]; readonly nodes: string[] }> {
  const path = '{range .items[*]}{.metadata.uid} {.spec.nodeName}{"\\n"}{end}'
  const printed = await rack.kubectl(
    'cp-1',
    'get',
    'pods',
    '--selector=app=web',
    `--output=jsonpath=${path}`,
  )
  const lines = printed.trim().split('\n')
  return {
    uids: lines.map((line) => line.split(' ')[0] ?? ''),
    nodes: lines.map((line) => line.split(' ')[1] ?? '').toSorted(),
  }
}

async function availablePods(): Promise<number> {
  const path = '--output=jsonpath={.status.availableReplicas}'
  return Number(await rack.kubectl('cp-1', 'get', 'deployment', 'web', path))
}

/** How many pods of the service were available, each time that the API server said it. */
async function watchService(signal: AbortSignal): Promise<number[]> {
  const seen: number[] = []
  while (!signal.aborted) {
    const available = await availablePods().catch(() => undefined)
    if (available !== undefined) seen.push(available)
    await setTimeout(1_000)
  }
  return seen
}

test('a control plane and a worker run a service', async () => {
  await rack.apply(names)
  const file = join(tmpdir(), 'service.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: service }))
  await rack.kubectl('cp-1', 'apply', `--filename=${file}`)
  await expect.poll(availablePods, { interval: 2_000, timeout: 300_000 }).toBe(2)
  expect((await podsOf()).nodes).toEqual(names)
})

test('Kubernetes is upgraded, and pods are moved off each node before', async () => {
  const { kubernetes, nextKubernetes } = rack.versions
  const { uids } = await podsOf()
  expect(await nodesOf('{.status.nodeInfo.kubeletVersion}')).toBe(`v${kubernetes}\n`.repeat(2))
  const ended = new AbortController()
  const watched = watchService(ended.signal)
  try {
    await rack.upgrade(names, { kubernetes: nextKubernetes })
  } finally {
    ended.abort()
  }
  const seen = await watched
  expect(await nodesOf('{.status.nodeInfo.kubeletVersion}')).toBe(`v${nextKubernetes}\n`.repeat(2))
  expect(await nodesOf('{.spec.unschedulable}')).toBe('\n\n')
  expect(seen.length).toBeGreaterThan(10)
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(1)
  // A restart of a kubelet leaves its pods as they are: those of before can only be gone by eviction.
  const after = await podsOf()
  expect(after.uids).toHaveLength(2)
  for (const uid of uids) expect(after.uids).not.toContain(uid)
})

test('the control plane runs the new version, and then there is nothing to do', async () => {
  const { nextKubernetes } = rack.versions
  for (const component of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']) {
    const image = await rack.kubectl(
      'cp-1',
      'get',
      'pod',
      '--namespace=kube-system',
      `${component}-cp-1`,
      '--output=jsonpath={.spec.containers[0].image}',
    )
    expect(image).toBe(`registry.k8s.io/${component}:v${nextKubernetes}`)
  }
  expect(await rack.kubectl('cp-1', 'version')).toContain(`Server Version: v${nextKubernetes}`)
  expect(await rack.plan(names, { kubernetes: nextKubernetes })).toEqual([])
})
