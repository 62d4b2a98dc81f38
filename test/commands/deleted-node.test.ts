import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { deleteNode } from '../../src/kubernetes/nodes.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { withKubernetes } from './lost-etcd.ts'
import { bootIds } from './node-hands.ts'
import { kubernetesOf, nodeNames } from './simulated-kubernetes.ts'
import { expectTidy } from './world-facts.ts'

// A plan asks the nodes, and Kubernetes, where the firewall lets it.
const firewall = { kubernetesApi: ['127.0.0.0/8'], talosApi: ['127.0.0.0/8'] }
const file = clusterFile({}, { ...bare, firewall })
const names = ['demo-control-plane-1', 'demo-workers-1']

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
})
afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

const plan = async () => (await planCluster(bench.run(), { file, verb: 'apply' })).plan

it('Nodes that somebody deleted are in the plan, and come back without a reboot', async () => {
  const boots = bootIds(bench)
  for (const name of names) await withKubernetes(bench, file, (client) => deleteNode(client, name))
  expect(nodeNames(bench.sandbox.world)).toEqual([])
  const { changes, risk } = await plan()
  expect(risk).toBe('live')
  expect(changes).toEqual(
    names.map((name) =>
      expect.objectContaining({
        key: `node/${name}`,
        action: 'update',
        fields: [{ path: 'kubernetes', before: 'unknown', after: 'registered' }],
        reason: expect.stringContaining('Kubernetes does not know it'),
      }),
    ),
  )
  await applyCluster(bench.run(), { file })
  expect(nodeNames(bench.sandbox.world)).toEqual(names)
  expect(bootIds(bench)).toEqual(boots)
  expect((await plan()).changes).toEqual([])
})

it('a Node that is deleted under an apply does not hold it up: the next one brings it back', async () => {
  const { world } = bench.sandbox
  const rule = { direction: 'in', protocol: 'tcp', port: 443, sources: ['10.9.0.0/16'] }
  const other = clusterFile({}, { ...bare, firewall: { ...firewall, extraRules: [rule] } })
  let deleted = false
  world.onRequest(({ front, path }) => {
    if (deleted || front !== 'hetzner' || !/set_rules$/.test(path)) return
    deleted = true
    kubernetesOf(world).context.store.remove('nodes', 'demo-workers-1')
  })
  await expect(applyCluster(bench.run(), { file: other })).rejects.toMatchObject({
    code: 'wait-timeout',
    message: expect.stringContaining('demo-workers-1 runs, and Kubernetes does not know it'),
    hint: expect.stringContaining('hcloud-talos apply'),
  })
  await applyCluster(bench.run(), { file: other })
  expect(nodeNames(world)).toEqual(names)
  await applyCluster(bench.run(), { file })
})

it('a node that is off, or a Kubernetes that nobody may ask, is no reason to restart a kubelet', async () => {
  const worker = [...bench.sandbox.world.machines.values()].find(({ name }) => name === names[1])
  await withKubernetes(bench, file, (client) => deleteNode(client, 'demo-workers-1'))
  const closed = clusterFile({}, { ...bare, firewall: { talosApi: ['127.0.0.0/8'] } })
  const { world } = bench.sandbox
  for (const { rules } of world.hetzner.firewalls.values()) {
    rules.splice(0, rules.length, ...rules.filter(({ port }) => port !== '6443'))
  }
  const { plan: blind } = await planCluster(bench.run(), { file: closed, verb: 'apply' })
  expect(blind.changes.filter(({ key }) => key.startsWith('node/'))).toEqual([])
  await applyCluster(bench.run(), { file })
  expect(nodeNames(world)).toEqual(names)
  await withKubernetes(bench, file, (client) => deleteNode(client, 'demo-workers-1'))
  await worker?.powerOff()
  expect((await plan()).changes.filter(({ key }) => key.startsWith('node/'))).toEqual([])
  await worker?.powerOn()
  await expect.poll(() => nodeNames(world)).toEqual(names)
})
