import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { byHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, expectTidy, holdings } from './world-facts.ts'

const file = clusterFile({ workers: 2 }, bare)
const strangers = ['anna', 'demo-workers-9']

// A cluster, and servers of others that carry its labels or a name that it may need.
let bench: Bench

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
  const { servers } = bench.sandbox.world.hetzner
  const labels = (name: string) => ({ ...servers.get(idOf(servers, name))?.labels })
  // One with all labels of a worker, one that says that it is a worker of its own, and one with a name alone.
  await addServer('anna', labels('demo-workers-1'))
  await addServer('demo-workers-9', { ...labels('demo-workers-1'), slot: '9' })
  await addServer('demo-workers-3', { owner: 'anna' })
})

afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

function addServer(name: string, labels: JsonObject) {
  const { networks } = bench.sandbox.world.hetzner
  return byHand(bench, 'POST', '/servers', {
    name,
    server_type: 'cx23',
    location: 'hel1',
    image: 'debian-13',
    labels,
    networks: [idOf(networks, 'demo')],
  })
}

function serverNames(): string[] {
  return holdings(bench.sandbox.world)['servers'] ?? []
}

it('labels that somebody copied make no server ours: it is named, and left alone', async () => {
  const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
  expect(plan.changes).toEqual([])
  expect(plan.findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual(
    strangers.map((name) =>
      expect.stringMatching(
        `^warning: the server ${name} \\(id \\d+\\) carries this cluster's labels, but this cluster did not create it`,
      ),
    ),
  )
  const apply = () => applyCluster(bench.run(), { file })
  expect(await changesDuring(bench.sandbox.world, apply)).toEqual([])
  const smaller = clusterFile({ workers: 1 }, bare)
  await applyCluster(bench.run(), { file: smaller })
  expect(serverNames()).toEqual([
    'anna',
    'demo-control-plane-1',
    'demo-workers-1',
    'demo-workers-3',
    'demo-workers-9',
  ])
})

it('one with the labels of a control plane would be a target of the load balancer: nothing goes on beside it', async () => {
  const { hetzner } = bench.sandbox.world
  const labels = { ...hetzner.servers.get(idOf(hetzner.servers, 'demo-control-plane-1'))?.labels }
  await addServer('twin', labels)
  const twin = idOf(hetzner.servers, 'twin')
  const refused = async () => {
    const finding = { severity: 'error', message: expect.stringContaining('the server twin ') }
    await expect(applyCluster(bench.run(), { file })).rejects.toMatchObject({
      code: 'plan-refused',
      findings: expect.arrayContaining([expect.objectContaining(finding)]),
    })
    const { plan } = await planCluster(bench.run(), { file, verb: 'apply' })
    expect(plan.findings).toContainEqual(expect.objectContaining(finding))
  }
  expect(await changesDuring(bench.sandbox.world, refused)).toEqual([])
  const { uid: _, ...others } = labels
  await byHand(bench, 'PUT', `/servers/${twin}`, { labels: others })
  await applyCluster(bench.run(), { file })
  await byHand(bench, 'DELETE', `/servers/${twin}`)
})

it('a foreign server that has a name which the file needs stops the plan, before anything is made', async () => {
  const larger = clusterFile({ workers: 3 }, bare)
  const refused = () =>
    expect(applyCluster(bench.run(), { file: larger })).rejects.toMatchObject({
      code: 'plan-refused',
      findings: expect.arrayContaining([
        expect.objectContaining({
          message: expect.stringContaining('the server demo-workers-3'),
        }),
      ]),
    })
  expect(await changesDuring(bench.sandbox.world, refused)).toEqual([])
})

it('a destroy finds what was renamed or lost its labels, and leaves strangers', async () => {
  const { world } = bench.sandbox
  const { hetzner } = world
  const [balancer = 0] = hetzner.loadBalancers.keys()
  for (const [index, path] of [
    `/servers/${idOf(hetzner.servers, 'demo-workers-1')}`,
    `/servers/${idOf(hetzner.servers, 'demo-control-plane-1')}`,
    `/firewalls/${idOf(hetzner.firewalls, 'demo')}`,
    `/ssh_keys/${idOf(hetzner.sshKeys, 'demo')}`,
    `/load_balancers/${balancer}`,
    ...[...hetzner.placementGroups.keys()].map((id) => `/placement_groups/${id}`),
  ].entries()) {
    await byHand(bench, 'PUT', path, { name: `renamed-${index}`, labels: {} })
  }
  // What hangs in its network would keep it: that is another test's.
  const network = idOf(hetzner.networks, 'demo')
  for (const name of [...strangers, 'demo-workers-3']) {
    const server = idOf(hetzner.servers, name)
    await byHand(bench, 'POST', `/servers/${server}/actions/detach_from_network`, { network })
  }
  await world.clock.sleep(60_000)
  const { plan } = await destroyCluster(bench.run(), { file, confirm: async () => true })
  const marked = plan.findings.filter(({ message }) => message.includes('did not create it'))
  expect(marked.map(({ message }) => message)).toEqual(
    strangers.map((name) => expect.stringContaining(`the server ${name} `)),
  )
  const { snapshots: _, ...left } = holdings(world)
  expect(left).toEqual({ servers: ['anna', 'demo-workers-3', 'demo-workers-9'] })
})
