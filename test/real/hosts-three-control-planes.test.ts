import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RealRack, startRealRack } from './real-rack.ts'

let rack: RealRack
const controlPlanes = ['cp-1', 'cp-2', 'cp-3']
const all = [...controlPlanes, 'worker-1']
const onRemove = 'reset'

// Control planes wait for one another: on a machine that does other things as well all of it takes an hour.
vi.setConfig({ testTimeout: 60 * 60_000 })

beforeAll(async () => {
  rack = await startRealRack(all)
})
afterAll(async () => {
  await rack?.[Symbol.asyncDispose]()
})

async function etcdPods(): Promise<string[]> {
  const pods = await rack.kubectl('cp-1', 'get', 'pods', '-n', 'kube-system', '--output=name')
  return pods
    .split('\n')
    .filter((name) => name.startsWith('pod/etcd-'))
    .toSorted()
}

test('three control planes join one after the other, and then there is nothing to do', async () => {
  await rack.apply(all, { onRemove })
  expect(await etcdPods()).toEqual(controlPlanes.map((name) => `pod/etcd-${name}`))
  expect(await rack.plan(all, { onRemove })).toEqual([])
})

test('a kubeconfig that was minted lets whoever has it do everything', async () => {
  const kubeconfig = await rack.mint(all)
  expect((await rack.kubectlBy(kubeconfig, 'auth', 'can-i', '*', '*')).trim()).toBe('yes')
})

test('a control plane leaves etcd and joins again', async () => {
  await rack.apply(all, { onRemove, replace: ['cp-3'] })
  expect(await etcdPods()).toEqual(controlPlanes.map((name) => `pod/etcd-${name}`))
  expect(await rack.plan(all, { onRemove })).toEqual([])
})

test('a snapshot brings back what was deleted after it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'snapshots-'))
  await rack.kubectl('cp-1', 'create', 'configmap', 'kept', '--from-literal=a=b')
  const { place } = await rack.snapshot(all, `${folder}/`)
  await rack.kubectl('cp-1', 'delete', 'configmap', 'kept')
  expect(await rack.restore(all, place)).toBe(0)
  expect(await rack.kubectl('cp-1', 'get', 'configmap', 'kept', '--output=name')).toContain('kept')
})

test('a worker leaves, and its host is bare of the cluster', async () => {
  await rack.apply(controlPlanes, { onRemove })
  const nodes = await rack.kubectl('cp-1', 'get', 'nodes', '--output=name')
  expect(nodes.trim().split('\n').toSorted()).toEqual(controlPlanes.map((name) => `node/${name}`))
})

test('all is destroyed, and its hosts are bare of it', async () => {
  await rack.destroy(controlPlanes, { onRemove })
  for (const name of all) {
    const left = await rack.hosts
      .host(name)
      .host.run('sh', '-c', 'ls -A /etc/kubernetes /var/lib/kubelet /var/lib/etcd || true')
    expect(left).not.toMatch(/kubelet\.conf|admin\.conf|member/)
  }
})
