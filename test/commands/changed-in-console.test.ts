import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import type { Plan } from '../../src/plan/plan.ts'
import type { ClusterFile } from '../../src/run/cluster-file.ts'
import { byHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { healthyEtcd, onlyEtcd, voters } from './etcd-watch.ts'
import { type Bench, startBench } from './harness.ts'
import { changesDuring, expectTidy, inventoryOf } from './world-facts.ts'

const file = clusterFile({ controlPlanes: 3, workers: 3 }, bare)

// One cluster that somebody edits in Hetzner's console. The file never changes.
let bench: Bench
let before: Record<string, number>

beforeAll(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
  before = serverIds()
})

afterAll(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

function serverIds(): Record<string, number> {
  const { servers } = bench.sandbox.world.hetzner
  return Object.fromEntries([...servers.values()].map(({ id, name }) => [name, id]))
}

function labelsOf(name: string): Record<string, string> {
  const { servers } = bench.sandbox.world.hetzner
  return { ...servers.get(before[name] ?? 0)?.labels }
}

async function plan(other: ClusterFile = file): Promise<Plan> {
  return (await planCluster(bench.run(), { file: other, verb: 'apply' })).plan
}

function lines({ changes }: Plan): string[] {
  return changes.map(({ action, key, risk }) => `${action} ${key} ${risk}`)
}

function memberIds(): bigint[] {
  return onlyEtcd(bench.sandbox.world)
    .voters.map(({ id }) => id)
    .sort()
}

function bootIds(): string[] {
  return [...bench.sandbox.world.machines.values()].map(({ bootId }) => bootId).sort()
}

/** The plan is what is expected, its apply keeps every server, member and boot, and leaves nothing to do. */
async function expectRestored(expected: readonly string[]): Promise<void> {
  const [members, boots] = [memberIds(), bootIds()]
  const found = await plan()
  expect(lines(found)).toEqual(expected)
  for (const { fields } of found.changes) {
    expect(fields.map(({ byHand: hand }) => hand)).toEqual(fields.map(() => true))
  }
  await applyCluster(bench.run(), { file })
  expect(serverIds()).toEqual(before)
  expect(memberIds()).toEqual(members)
  expect(bootIds()).toEqual(boots)
  expect(voters(bench.sandbox.world)).toEqual(healthyEtcd(3))
  expect(lines(await plan())).toEqual([])
}

it('the id of everything is in the state', async () => {
  const { hetzner } = bench.sandbox.world
  const { resources = {} } = await inventoryOf(bench)
  const found = Object.fromEntries(Object.entries(resources).map(([key, { id }]) => [key, id]))
  const [balancer] = hetzner.loadBalancers.keys()
  expect(found).toEqual({
    ...Object.fromEntries(Object.entries(before).map(([name, id]) => [`server/${name}`, id])),
    'network/demo': idOf(hetzner.networks, 'demo'),
    'firewall/demo': idOf(hetzner.firewalls, 'demo'),
    'ssh-key/demo': idOf(hetzner.sshKeys, 'demo'),
    'load-balancer/demo': balancer,
    'placement-group/demo-control-plane-1': idOf(hetzner.placementGroups, 'demo-control-plane-1'),
    'placement-group/demo-workers-1': idOf(hetzner.placementGroups, 'demo-workers-1'),
  })
})

it('a control plane that loses the label of its cluster stays what it is', async () => {
  const { cluster, ...rest } = labelsOf('demo-control-plane-2')
  await byHand(bench, 'PUT', `/servers/${before['demo-control-plane-2']}`, { labels: rest })
  await expectRestored(['update server/demo-control-plane-2 live'])
  expect(labelsOf('demo-control-plane-2')['cluster']).toBe(cluster)
})

it('nodes that lose one label each, whichever it is, stay what they are', async () => {
  const lost = {
    'demo-control-plane-1': 'uid',
    'demo-control-plane-3': 'role',
    'demo-workers-1': 'component',
    'demo-workers-2': 'pool',
    'demo-workers-3': 'slot',
  }
  for (const [name, label] of Object.entries(lost)) {
    const { [label]: _, ...rest } = labelsOf(name)
    await byHand(bench, 'PUT', `/servers/${before[name]}`, { labels: rest })
  }
  await expectRestored(Object.keys(lost).map((name) => `update server/${name} live`))
})

it('labels that say that a node is another one, or no node, are put back', async () => {
  const own = labelsOf('demo-workers-1')
  const edits: Record<string, Record<string, string>> = {
    'demo-workers-1': { ...own, component: 'image-builder' },
    'demo-workers-2': { ...own, slot: '3', role: 'control-plane', pool: 'control-plane' },
    'demo-workers-3': {},
  }
  for (const [name, labels] of Object.entries(edits)) {
    await byHand(bench, 'PUT', `/servers/${before[name]}`, { labels })
  }
  // Nor does it matter that another of ours has its name.
  const { placementGroups } = bench.sandbox.world.hetzner
  const [ours, others] = ['demo-control-plane-1', 'demo-workers-1']
  const [group, other] = [idOf(placementGroups, ours), idOf(placementGroups, others)]
  await byHand(bench, 'PUT', `/placement_groups/${group}`, { name: 'passing' })
  await byHand(bench, 'PUT', `/placement_groups/${other}`, { name: ours })
  await byHand(bench, 'PUT', `/placement_groups/${group}`, { name: others })
  await expectRestored([
    `update placement-group/${ours} live`,
    `update placement-group/${others} live`,
    'update server/demo-workers-1 live',
    'update server/demo-workers-2 live',
    'update server/demo-workers-3 live',
  ])
})

it('everything that was renamed, and lost its labels, gets its name and labels back', async () => {
  const { hetzner } = bench.sandbox.world
  const [balancer = 0] = hetzner.loadBalancers.keys()
  const paths = [
    ...Object.values(before).map((id) => `/servers/${id}`),
    `/networks/${idOf(hetzner.networks, 'demo')}`,
    `/firewalls/${idOf(hetzner.firewalls, 'demo')}`,
    `/ssh_keys/${idOf(hetzner.sshKeys, 'demo')}`,
    `/load_balancers/${balancer}`,
    ...[...hetzner.placementGroups.keys()].map((id) => `/placement_groups/${id}`),
  ]
  for (const [index, path] of paths.entries()) {
    await byHand(bench, 'PUT', path, { name: `renamed-${index}`, labels: { owner: 'anna' } })
  }
  await expectRestored([
    'update network/demo live',
    'update firewall/demo live',
    'update placement-group/demo-control-plane-1 live',
    'update placement-group/demo-workers-1 live',
    'update ssh-key/demo live',
    'update load-balancer/demo live',
    ...Object.keys(before)
      .sort()
      .map((name) => `update server/${name} live`),
  ])
  expect([...hetzner.loadBalancers.keys()]).toEqual([balancer])
  expect(labelsOf('demo-workers-1')['owner']).toBe('anna')
})

it('a worker and a control plane that were resized by hand are told, and kept', async () => {
  const { servers } = bench.sandbox.world.hetzner
  const names = ['demo-control-plane-3', 'demo-workers-3']
  for (const name of names) {
    const id = before[name] ?? 0
    await byHand(bench, 'POST', `/servers/${id}/actions/poweroff`)
    await bench.sandbox.world.clock.sleep(60_000)
    await byHand(bench, 'POST', `/servers/${id}/actions/change_type`, {
      server_type: 'cx43',
      upgrade_disk: false,
    })
    await bench.sandbox.world.clock.sleep(60_000)
    await byHand(bench, 'POST', `/servers/${id}/actions/poweron`)
    await bench.sandbox.world.clock.sleep(60_000)
  }
  const found = await plan()
  expect(lines(found)).toEqual([])
  expect(found.findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'warning: the server demo-control-plane-3 was changed by hand, and is kept so: serverType is cx43, the file asks for cx23',
    'warning: the server demo-workers-3 was changed by hand, and is kept so: serverType is cx43, the file asks for cx33',
  ])
  const sent = await changesDuring(bench.sandbox.world, () => applyCluster(bench.run(), { file }))
  expect(sent).toEqual([])
  expect(serverIds()).toEqual(before)
  expect(servers.get(before['demo-workers-3'] ?? 0)).toMatchObject({ type: 'cx43' })
  // Asked for by name, or by the file, it is replaced all the same.
  const asked = await planCluster(bench.run(), { file, verb: 'apply', replace: ['demo-workers-3'] })
  expect(lines(asked.plan)).toContain('replace server/demo-workers-3 replace')
  const other = clusterFile(
    { controlPlanes: 3, workers: [{ name: 'workers', count: 3, type: 'cx53' }] },
    bare,
  )
  expect(lines(await plan(other))).toContain('replace server/demo-workers-3 replace')
})

it('protection, backups and reverse DNS are named, and kept', async () => {
  const { servers, primaryIps, networks } = bench.sandbox.world.hetzner
  const id = before['demo-workers-2'] ?? 0
  const ip = primaryIps.get(servers.get(id)?.ipv4 ?? 0)?.ip ?? ''
  const protection = { delete: true, rebuild: true }
  await byHand(bench, 'POST', `/servers/${id}/actions/change_protection`, protection)
  await byHand(bench, 'POST', `/servers/${id}/actions/enable_backup`)
  await byHand(bench, 'POST', `/servers/${id}/actions/change_dns_ptr`, {
    ip,
    dns_ptr: 'node.example.com',
  })
  const network = idOf(networks, 'demo')
  await byHand(bench, 'POST', `/networks/${network}/actions/change_protection`, { delete: true })
  await bench.sandbox.world.clock.sleep(60_000)
  const found = await plan()
  expect(lines(found)).toEqual([])
  expect(found.notes).toEqual(
    expect.arrayContaining([
      'network demo: set by hand and kept: delete protection',
      'server demo-workers-2: set by hand and kept: delete protection, backups, reverse DNS node.example.com',
    ]),
  )
  const apply = () => applyCluster(bench.run(), { file })
  expect(await changesDuring(bench.sandbox.world, apply)).toEqual([])
  expect(servers.get(id)).toMatchObject({ deleteProtected: true })
})

it('a server that was given another address inside, or taken out, comes back to its own', async () => {
  const { networks } = bench.sandbox.world.hetzner
  const network = idOf(networks, 'demo')
  const id = before['demo-workers-1']
  for (const name of ['demo-workers-1', 'demo-workers-2']) {
    await byHand(bench, 'POST', `/servers/${before[name]}/actions/detach_from_network`, { network })
    await bench.sandbox.world.clock.sleep(60_000)
  }
  await byHand(bench, 'POST', `/servers/${id}/actions/attach_to_network`, {
    network,
    ip: '10.0.64.200',
  })
  await bench.sandbox.world.clock.sleep(60_000)
  await expectRestored(['update server/demo-workers-1 live', 'update server/demo-workers-2 live'])
})

it('a load balancer that was moved inside is named with the way back, and comes back by it', async () => {
  const { networks, loadBalancers } = bench.sandbox.world.hetzner
  const network = idOf(networks, 'demo')
  const [balancer] = loadBalancers.values()
  if (!balancer) throw new Error('the cluster has a load balancer')
  const address = balancer.privateNets[0]?.ip
  const detach = () =>
    byHand(bench, 'POST', `/load_balancers/${balancer.id}/actions/detach_from_network`, { network })
  await detach()
  const attach = { network, ip: '10.0.32.200' }
  await byHand(bench, 'POST', `/load_balancers/${balancer.id}/actions/attach_to_network`, attach)
  await bench.sandbox.world.clock.sleep(60_000)
  const { findings } = await plan()
  expect(findings).toContainEqual(
    expect.objectContaining({
      message: expect.stringMatching(
        /load balancer demo was changed by hand.*privateIp is.*10\.0\.32\.200/,
      ),
      hint: expect.stringContaining('detach the load balancer'),
    }),
  )
  await detach()
  await bench.sandbox.world.clock.sleep(60_000)
  await expectRestored(['update load-balancer/demo live'])
  expect(loadBalancers.get(balancer.id)?.privateNets.map(({ ip }) => ip)).toEqual([address])
  expect(loadBalancers.get(balancer.id)?.targets).toHaveLength(1)
})
