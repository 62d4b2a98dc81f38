import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectNothingLeft } from './cluster-facts.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { type RealFile, realFile } from './real-file.ts'

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

/** How an apply with these patches fails: what a person reads. */
async function failure(patches: RealFile['patches']): Promise<string> {
  await write(patches)
  const { code, stdout, stderr } = await cluster.run('apply', '--yes')
  expect(code, stderr).toBe(105)
  return `${stdout}${stderr}`
}

async function expectAsBefore(): Promise<void> {
  const { stdout } = await cluster.kubectl('get', '--raw', '/readyz')
  expect(stdout).toBe('ok')
  await write()
  // The worker may have taken the change before the run stopped at the control plane.
  await cluster.succeed('apply', '--yes')
  expect((await cluster.succeed('apply', '--yes')).stdout).toContain('nothing to do')
}

it('a cluster begins, and its components are seen to be healthy', async () => {
  await write()
  await cluster.succeed('apply', '--yes')
  await cluster.fetchAccess()
})

it('an API server that ends at its start is given its former config back', async () => {
  const text = await failure([
    { cluster: { apiServer: { extraArgs: { 'audit-log-maxage': 'seven' } } } },
  ])
  expect(text).toContain('cluster.apiServer.extraArgs.audit-log-maxage')
  expect(text).toMatch(/log of kube-apiserver \| .*audit-log-maxage/)
  expect(text).toContain('its former config was put back, and it is healthy again')
  await expectAsBefore()
})

it('a kubelet that ends at its start is given its former config back', async () => {
  const text = await failure([{ machine: { kubelet: { extraArgs: { 'max-pods': 'fifty' } } } }])
  expect(text).toContain('machine.kubelet.extraArgs.max-pods')
  expect(text).toMatch(/log of kubelet \| .*max-pods/)
  expect(text).toContain('its former config was put back, and it is healthy again')
  await expectAsBefore()
})

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
  // The API server runs with it already; the kubelet writes its mirror pod anew a moment later.
  await expect.poll(command, { timeout: 60_000, interval: 1_000 }).toContain('--event-ttl=2h')
})

it('destroy leaves nothing behind', async () => {
  await cluster.succeed('destroy', '--confirm', 'demo')
  expectNothingLeft(cluster)
})
