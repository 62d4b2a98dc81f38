import { expect, test } from 'vitest'
import { waitForStaticPod } from '../../src/kubernetes/static-pods.ts'
import { pollLimitMs } from '../hang-limit.ts'
import { type SimCluster, startSimCluster } from './sim-cluster.ts'

const image = (version: string) => `registry.k8s.io/kube-scheduler:${version}`

/** The kubelet of the only control plane reports its static pods. */
function report({ sim }: SimCluster, version: string): void {
  sim.registerNode({
    name: 'demo-control-plane-1',
    internalIp: '10.0.64.1',
    roleControlPlane: true,
    labels: {},
    annotations: {},
    taints: [],
    osImage: 'Talos (v1.13.0)',
    kubeletVersion: 'v1.32.0',
    bootId: 'boot-1',
    serverId: 1,
    staticPods: [{ component: 'kube-scheduler', image: image(version) }],
  })
}

function waited(
  { client, world }: SimCluster,
  version: string,
  { seen = [], withinMs = 3_600_000 }: { seen?: string[]; withinMs?: number } = {},
) {
  const pod = { component: 'kube-scheduler', node: 'demo-control-plane-1', image: image(version) }
  const { clock } = world
  const onPending = (reason: string) => {
    seen.push(reason)
  }
  return waitForStaticPod(client, pod, { clock, withinMs, onPending })
}

test('a component is awaited until its mirror pod runs from the image and is Ready', async () => {
  const cluster = await startSimCluster()
  const seen: string[] = []
  const wait = waited(cluster, 'v1.33.0', { seen })
  await expect.poll(() => seen, { timeout: pollLimitMs }).toEqual(['its pod is not there'])
  report(cluster, 'v1.32.0')
  await expect
    .poll(() => seen.at(-1), { timeout: pollLimitMs })
    .toBe(`it still runs ${image('v1.32.0')}`)
  report(cluster, 'v1.33.0')
  await wait
  await expect(waited(cluster, 'v1.34.0', { withinMs: 2_000 })).rejects.toMatchObject({
    code: 'wait-timeout',
    message: expect.stringContaining(`it still runs ${image('v1.33.0')}`),
    hint: expect.stringContaining('hcloud-talos talos logs -k'),
  })
})

test('an API that is away for a while is what restarts, and no failure', async () => {
  const cluster = await startSimCluster()
  report(cluster, 'v1.33.0')
  // More often than a request is repeated.
  cluster.world.faults.inject({ kind: 'unavailable', front: 'kubernetes', times: 20 })
  const seen: string[] = []
  await waited(cluster, 'v1.33.0', { seen })
  expect(seen).toEqual(['the Kubernetes API is away'])
})
