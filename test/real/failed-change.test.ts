import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectNothingLeft } from './cluster-facts.ts'
import { failingChangesFail } from './failing-changes.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { type RealFile, realFile } from './real-file.ts'
import { takeUps } from './take-ups.ts'

// What does not come up on a real node, and its way back: one control plane, whose Kubernetes API goes with it.
const small: RealFile = { controlPlanes: 1, workers: 1 }

let cluster: RealCluster
beforeAll(async () => {
  cluster = await startRealCluster('failed-change')
})
afterAll(() => cluster[Symbol.asyncDispose]())

async function write(patches: RealFile['patches'] = []): Promise<void> {
  await cluster.bench.write('cluster.yaml', realFile({ ...small, patches }))
}

it('a cluster begins, and its components are seen to be healthy', async () => {
  await write()
  await cluster.succeed('apply', '--yes')
  await cluster.fetchAccess()
})

failingChangesFail(() => cluster, small, [
  ['apiServer'],
  ['admission'],
  ['controllerManager', 'scheduler'],
  ['kubelet'],
  ['kubeletSettings'],
  ['etcd'],
])

it('a change that works restarts the API server and is done when it answers', async () => {
  await write([{ cluster: { apiServer: { extraArgs: { 'event-ttl': '2h' } } } }])
  await cluster.succeed('apply', '--yes')
  const command = async () => {
    const { stdout } = await cluster.kubectl(
      '--namespace=kube-system',
      'get',
      'pods',
      '--selector=k8s-app=kube-apiserver',
      '--output=jsonpath={.items[*].spec.containers[0].command}',
    )
    return stdout
  }
  // The API server runs with it already; the kubelet writes its mirror pod again a moment later.
  await expect.poll(command, { timeout: 60_000, interval: 1_000 }).toContain('--event-ttl=2h')
})

takeUps(() => cluster, 'demo-control-plane-1')

it('destroy leaves nothing behind', async () => {
  await cluster.succeed('destroy', '--confirm', 'demo')
  expectNothingLeft(cluster)
})
