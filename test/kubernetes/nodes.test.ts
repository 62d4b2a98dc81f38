import { expect, test } from 'vitest'
import {
  cordon,
  deleteNode,
  getNode,
  listNodes,
  nodeRef,
  uncordon,
  unhealthyBecause,
  waitForNodesReady,
} from '../../src/kubernetes/nodes.ts'
import { registerNode, startSimCluster } from './sim-cluster.ts'

test('a node is cordoned and uncordoned by us', async () => {
  const { client, sim, world } = await startSimCluster()
  registerNode(sim, 'demo-workers-1', 11)
  expect(await cordon(client, 'demo-workers-1', 'run-1')).toBe(true)
  expect(await getNode(client, 'demo-workers-1')).toMatchObject({
    unschedulable: true,
    cordonedBy: 'run-1',
    talosVersion: 'v1.9.0',
    bootId: 'boot-11',
  })
  // A later run finds a cordon of an earlier one, and may undo it.
  expect(await cordon(client, 'demo-workers-1', 'run-2')).toBe(true)
  expect(await uncordon(client, 'demo-workers-1')).toBe(true)
  expect(await getNode(client, 'demo-workers-1')).toMatchObject({
    unschedulable: false,
    cordonedBy: undefined,
  })
  expect(world.contractErrors).toEqual([])
})

test("somebody else's cordon is left alone", async () => {
  const { client, sim } = await startSimCluster()
  registerNode(sim, 'demo-workers-1', 11)
  await client.patch(nodeRef('demo-workers-1'), { spec: { unschedulable: true } })
  expect(await cordon(client, 'demo-workers-1', 'run-1')).toBe(false)
  expect(await uncordon(client, 'demo-workers-1')).toBe(false)
  expect(await getNode(client, 'demo-workers-1')).toMatchObject({ unschedulable: true })
})

test('a node that does not come is named when time is up', async () => {
  const { client, sim, world } = await startSimCluster()
  registerNode(sim, 'demo-workers-1', 11)
  const waiting = waitForNodesReady(
    client,
    [{ name: 'demo-workers-1' }, { name: 'demo-workers-2' }],
    {
      clock: world.clock,
      withinMs: 3_000,
    },
  )
  await expect(waiting).rejects.toMatchObject({
    code: 'wait-timeout',
    message: expect.stringMatching(/2 nodes to be Ready.*demo-workers-1 is not Ready.*1 more/),
  })
})

test('a Node of another server is nothing that is waited for', async () => {
  const { client, sim, world } = await startSimCluster()
  registerNode(sim, 'demo-workers-1', 11)
  await client.patch(nodeRef('demo-workers-1'), { spec: { providerID: 'hcloud://11' } })
  const node = await getNode(client, 'demo-workers-1')
  const named = { name: 'demo-workers-1' }
  const elsewhere = 'demo-workers-1 is known to Kubernetes as hcloud://11, which is not its server'
  expect(unhealthyBecause(node, { ...named, serverId: 12 }, false)).toBe(elsewhere)
  expect(unhealthyBecause(node, { ...named, serverId: 11 }, false)).toBeUndefined()
  const wait = { clock: world.clock, withinMs: 3_000 }
  await expect(waitForNodesReady(client, [{ ...named, serverId: 12 }], wait)).rejects.toMatchObject(
    { message: expect.stringContaining(elsewhere) },
  )
})

test('a node is deleted once', async () => {
  const { client, sim } = await startSimCluster()
  registerNode(sim, 'demo-workers-1', 11)
  expect(await listNodes(client)).toHaveLength(1)
  expect(await deleteNode(client, 'demo-workers-1')).toBe(true)
  expect(await deleteNode(client, 'demo-workers-1')).toBe(false)
})

test('a node is well when it has reported since its boot, in its new version, and lacks nothing that is ours to bring', async () => {
  const { client, sim } = await startSimCluster()
  registerNode(sim, 'demo-workers-1', 11)
  const node = await getNode(client, 'demo-workers-1')
  const name = 'demo-workers-1'
  expect(unhealthyBecause(undefined, { name }, true)).toBe('demo-workers-1 has not joined')
  // Nobody has brought a network: that is a fault only where the network is ours.
  expect(unhealthyBecause(node, { name }, true)).toMatch(/is not Ready: container runtime network/)
  expect(unhealthyBecause(node, { name }, false)).toBeUndefined()
  expect(unhealthyBecause(node, { name, bootId: 'boot-12' }, false)).toMatch(/since its boot$/)
  expect(unhealthyBecause(node, { name, kubeletVersion: 'v1.33.0' }, false)).toBe(
    'demo-workers-1 still runs kubelet v1.32.0',
  )
  const ready = node && { ...node, ready: true, notReadyBecause: undefined }
  const wanted = { name, bootId: 'boot-11', kubeletVersion: 'v1.32.0' }
  expect(unhealthyBecause(ready, wanted, true)).toBeUndefined()
  const silent = node && { ...node, notReadyBecause: 'Kubelet stopped posting node status.' }
  expect(unhealthyBecause(silent, { name }, false)).toMatch(/stopped posting/)
})
