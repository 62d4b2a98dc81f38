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

test('bare hosts are looked at, and everything is still to be done', async () => {
  expect((await rack.plan(names)).toSorted()).toEqual([
    'create etcd/rack',
    'create host/cp-1',
    'create host/worker-1',
    'create node/cp-1',
    'create node/worker-1',
  ])
})

test('they become a cluster, and then there is nothing to do', async () => {
  await rack.apply(names)
  const nodes = await rack.kubectl('cp-1', 'get', 'nodes', '--output=name')
  expect(nodes.trim().split('\n').toSorted()).toEqual(['node/cp-1', 'node/worker-1'])
  expect(await rack.plan(names)).toEqual([])
})

test('whoever is given a kubeconfig may do everything', async () => {
  const kubeconfig = await rack.mint(names)
  expect((await rack.kubectlBy(kubeconfig, 'auth', 'can-i', '*', '*')).trim()).toBe('yes')
})

test('it is destroyed, and its hosts are bare of it', async () => {
  await rack.destroy(names, { onRemove: 'reset' })
  for (const name of names) {
    const left = await rack.hosts
      .host(name)
      .host.run('sh', '-c', 'ls -A /etc/kubernetes /var/lib/kubelet || true')
    expect(left).not.toContain('kubelet.conf')
  }
})
