import { afterEach, beforeEach, expect, it } from 'vitest'
import { applyCluster } from '../../src/commands/cluster/apply-cluster.ts'
import { destroyCluster } from '../../src/commands/cluster/destroy-cluster.ts'
import { planCluster } from '../../src/commands/cluster/plan-cluster.ts'
import { FindingsError } from '../../src/lib/findings-error.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { byHand, idOf } from './by-hand.ts'
import { bare, clusterFile } from './cluster-files.ts'
import { type Bench, startBench } from './harness.ts'
import { nodeNames } from './simulated-kubernetes.ts'
import {
  changesDuring,
  expectTidy,
  holdings,
  inventoryOf,
  leftovers,
  stateFiles,
} from './world-facts.ts'

const file = clusterFile({ workers: 2 }, bare)
const yes = async () => true
let bench: Bench

beforeEach(async () => {
  bench = await startBench()
  await applyCluster(bench.run(), { file })
})

afterEach(async () => {
  await expectTidy(bench)
  await bench[Symbol.asyncDispose]()
})

/** What a destroy, or an apply, that is refused says; fails if it was not, or changed anything. */
async function refusal(run: () => Promise<unknown>): Promise<string[]> {
  const { world } = bench.sandbox
  const before = holdings(world)
  let refused: unknown
  const changes = await changesDuring(world, () =>
    run().catch((error: unknown) => (refused = error)),
  )
  if (!(refused instanceof FindingsError)) throw refused ?? new Error('it was not refused')
  expect(refused.code).toBe('plan-refused')
  expect(changes).toEqual([])
  expect(holdings(world)).toEqual(before)
  return refused.findings
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message)
}

const destroy = () => destroyCluster(bench.run(), { file, confirm: yes })

function protect(kind: string, id: number, isOn: boolean): Promise<JsonObject> {
  const body = { delete: isOn, ...(kind === 'servers' && { rebuild: isOn }) }
  return byHand(bench, 'POST', `/${kind}/${id}/actions/change_protection`, body)
}

async function addServer(name: string, labels: Readonly<Record<string, string>> = {}) {
  const { world } = bench.sandbox
  const network = idOf(world.hetzner.networks, 'demo')
  const order = { server_type: 'cx23', image: 'debian-13', location: 'hel1' }
  await byHand(bench, 'POST', '/servers', { name, labels, ...order, networks: [network] })
  return idOf(world.hetzner.servers, name)
}

it('meets what is protected before it deletes anything', async () => {
  const { hetzner } = bench.sandbox.world
  const kinds = {
    servers: idOf(hetzner.servers, 'demo-workers-2'),
    load_balancers: [...hetzner.loadBalancers.keys()][0] ?? 0,
    networks: idOf(hetzner.networks, 'demo'),
  }
  for (const [kind, id] of Object.entries(kinds)) await protect(kind, id, true)
  expect((await refusal(destroy)).sort()).toEqual([
    `the load balancer demo (id ${kinds.load_balancers}) would be deleted, and somebody protected it from deletion`,
    `the network demo (id ${kinds.networks}) would be deleted, and somebody protected it from deletion`,
    `the server demo-workers-2 (id ${kinds.servers}) would be deleted, and somebody protected it from deletion`,
  ])
  // A server that an apply would take away is drained only after this look.
  const fewer = clusterFile({ workers: 1 }, bare)
  expect(await refusal(() => applyCluster(bench.run(), { file: fewer }))).toHaveLength(1)
  const { plan } = await planCluster(bench.run(), {
    file,
    verb: 'apply',
    replace: ['demo-workers-2'],
  })
  expect(plan.findings).toMatchObject([{ message: expect.stringContaining('would be replaced') }])
  expect(nodeNames(bench.sandbox.world)).toHaveLength(3)
  for (const [kind, id] of Object.entries(kinds)) await protect(kind, id, false)
  await destroy()
  expect(leftovers(bench.sandbox.world)).toEqual({})
})

it('meets a protected volume where the policy has volumes deleted, and only there', async () => {
  const { world } = bench.sandbox
  const { uid } = await inventoryOf(bench)
  const order = { size: 10, location: 'hel1', labels: { uid, 'managed-by': 'csi-driver' } }
  await byHand(bench, 'POST', '/volumes', { name: 'pvc-1', ...order })
  const id = idOf(world.hetzner.volumes, 'pvc-1')
  await protect('volumes', id, true)
  const deleting = clusterFile({ workers: 2 }, { ...bare, policy: { onDestroyVolumes: 'delete' } })
  expect(
    await refusal(() => destroyCluster(bench.run(), { file: deleting, confirm: yes })),
  ).toEqual([
    `the volume pvc-1 (id ${id}) would be deleted, and somebody protected it from deletion`,
  ])
  await destroy()
  expect(leftovers(world)).toEqual({ volumes: ['pvc-1'] })
})

it('lists who else is in its network, and leaves the network to them where the policy says so', async () => {
  const { world } = bench.sandbox
  const foreign = await addServer('other')
  const scaled = await addServer('big-1', { 'hcloud/node-group': 'big' })
  const [own] = world.hetzner.loadBalancers.values()
  if (!own) throw new Error('the cluster has a load balancer')
  const balancer = world.hetzner.nextId()
  world.hetzner.loadBalancers.set(balancer, {
    ...own,
    id: balancer,
    name: 'theirs',
    labels: { 'hcloud-ccm/service-uid': 'of-another-cluster' },
    privateNets: own.privateNets.map((net) => ({ ...net, ip: '10.0.32.77' })),
    targets: [{ type: 'server', server: foreign, usePrivateIp: true, since: 0 }],
  })
  // Nor is what it lives by deleted under it.
  const [group = 0] = world.hetzner.placementGroups.keys()
  const server = world.hetzner.servers.get(foreign)
  const firewall = world.hetzner.firewalls.get(idOf(world.hetzner.firewalls, 'demo'))
  if (!server || !firewall) throw new Error('the project has them')
  const { uses } = firewall
  server.placementGroup = group
  firewall.uses = [
    ...uses,
    ...[foreign, scaled].map((one) => ({ type: 'server' as const, server: one, since: 0 })),
  ]
  await expect(destroy()).rejects.toMatchObject({
    findings: expect.arrayContaining([
      expect.objectContaining({
        message: `the server big-1 (id ${scaled}), of the autoscaler's node group big, would be open without the cluster's firewall (id ${firewall.id}), which would be deleted`,
        hint: 'Scale the node groups of the autoscaler to zero, and destroy again.',
      }),
    ]),
  })
  expect(await refusal(destroy)).toEqual([
    expect.stringContaining('others are in it'),
    `the server other (id ${foreign}), which is not the cluster's, is in a placement group of the cluster (id ${group}), which would be deleted`,
    `the server other (id ${foreign}), which is not the cluster's, would be open without the cluster's firewall (id ${firewall.id}), which would be deleted`,
    expect.stringContaining('big-1'),
  ])
  server.placementGroup = null
  firewall.uses = uses
  expect(await refusal(destroy)).toEqual([
    `the cluster's network would be deleted, and others are in it: server other (id ${foreign}); server big-1 (id ${scaled}), of the autoscaler's node group big; load balancer theirs (id ${balancer})`,
  ])
  const keeping = clusterFile({ workers: 2 }, { ...bare, policy: { onDestroyNetwork: 'keep' } })
  await destroyCluster(bench.run(), { file: keeping, confirm: yes })
  expect(leftovers(world)).toEqual({
    servers: ['big-1', 'other'],
    networks: ['demo'],
    loadBalancers: ['theirs'],
  })
  expect(await stateFiles(bench)).toEqual({})
})

it('names what stays, with its cost', async () => {
  const { uid } = await inventoryOf(bench)
  const labels = { uid }
  await byHand(bench, 'POST', '/floating_ips', {
    type: 'ipv4',
    name: 'vip',
    home_location: 'hel1',
    labels,
  })
  await byHand(bench, 'POST', '/primary_ips', {
    type: 'ipv4',
    name: 'kept',
    location: 'hel1',
    auto_delete: false,
    labels,
  })
  let shown: Plan | undefined
  await destroyCluster(bench.run(), {
    file,
    confirm: async (plan) => {
      shown = plan
      return true
    },
  })
  expect(shown?.findings.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^the floating IP vip \(127[.\d]+\) stays and goes on costing €3\.80 a month$/,
    ),
    expect.stringMatching(
      /^the primary IP kept \(127[.\d]+\) stays and goes on costing €0\.60 a month$/,
    ),
    expect.stringMatching(/^the snapshot .* stays and goes on costing €\d+\.\d\d a month$/),
  ])
})

it('names load balancers and addresses that serve its nodes and are not its own, and leaves them', async () => {
  const { hetzner } = bench.sandbox.world
  const [own] = hetzner.loadBalancers.values()
  if (!own) throw new Error('the cluster has a load balancer')
  const server = idOf(hetzner.servers, 'demo-workers-1')
  const id = hetzner.nextId()
  // Made by hand before our nodes: nothing proves that it is the cluster's.
  hetzner.loadBalancers.set(id, {
    ...own,
    id,
    name: 'web',
    labels: {},
    privateNets: [],
    targets: [{ type: 'server', server, usePrivateIp: false, since: 0 }],
  })
  await byHand(bench, 'POST', '/floating_ips', { type: 'ipv4', name: 'vip', server })
  let shown: Plan | undefined
  await destroyCluster(bench.run(), {
    file,
    confirm: async (plan) => {
      shown = plan
      return true
    },
  })
  const messages = shown?.findings.map(({ message }) => message)
  expect(messages).toContain(
    `the load balancer web (id ${id}) stays and goes on costing €7.49 a month`,
  )
  expect(messages).toContainEqual(
    expect.stringMatching(/^the floating IP vip .* stays and goes on costing €3\.80 a month$/),
  )
  expect([...hetzner.loadBalancers.keys()]).toEqual([id])
  expect(hetzner.loadBalancers.get(id)?.targets).toEqual([])
  expect([...hetzner.floatingIps.values()].map(({ name }) => name)).toEqual(['vip'])
})

it('does not delete the network under a server that came while it ran, and keeps the state until it can', async () => {
  const { world } = bench.sandbox
  let late: Promise<number> | undefined
  world.onRequest(({ method, path }) => {
    if (method === 'DELETE' && path.startsWith('/servers/')) late ??= addServer('late')
  })
  await expect(destroy()).rejects.toMatchObject({
    code: 'leftovers',
    message: expect.stringContaining('the network demo'),
  })
  const id = (await late) ?? 0
  expect(leftovers(world)).toMatchObject({ servers: ['late'], networks: ['demo'] })
  expect(Object.keys(await stateFiles(bench))).toContain('demo/inventory.json')
  const network = idOf(world.hetzner.networks, 'demo')
  await byHand(bench, 'POST', `/servers/${id}/actions/detach_from_network`, { network })
  await destroy()
  expect(leftovers(world)).toEqual({ servers: ['late'] })
  expect(await stateFiles(bench)).toEqual({})
})
