import { describe, expect, test } from 'vitest'
import { observeDestroy } from '../../src/hetzner/observe-destroy.ts'
import { planDestroyHetzner } from '../../src/hetzner/plan-destroy.ts'
import { createTemporaryRule } from '../../src/hetzner/temporary-rules.ts'
import type { World } from '../../src/sandbox/world.ts'
import {
  applyCluster,
  contents,
  destroyCluster,
  identity,
  planDestroy,
  startHetznerWorld,
} from './hetzner-world.ts'

/** As Hetzner's cloud controller would: a load balancer for a Service. */
function addServiceLoadBalancer(world: World, name: string, networkId: number | undefined): void {
  const id = world.hetzner.nextId()
  const [own] = world.hetzner.loadBalancers.values()
  if (!own) throw new Error('the cluster has one')
  world.hetzner.loadBalancers.set(id, {
    ...own,
    id,
    name,
    labels: { 'hcloud-ccm/service-uid': `uid-of-${name}` },
    privateNets: networkId === undefined ? [] : [{ network: networkId, ip: '10.0.32.9' }],
    targets: [],
    services: [],
  })
}

function addVolume(
  world: World,
  name: string,
  { labels, server = null }: { labels: Record<string, string>; server?: number | null },
): void {
  const id = world.hetzner.nextId()
  world.hetzner.volumes.set(id, {
    id,
    name,
    labels,
    created: world.clock.now(),
    status: 'available',
    server,
    location: 'hel1',
    size: 10,
    format: 'ext4',
    deleteProtected: false,
  })
}

function idOf(map: ReadonlyMap<number, { name: string; id: number }>, name: string): number {
  const found = [...map.values()].find((one) => one.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found.id
}

async function busyCluster() {
  const sandbox = await startHetznerWorld()
  const { world, client } = sandbox
  await applyCluster(client)
  await client.networks.create({
    name: 'elsewhere',
    ip_range: '10.9.0.0/16',
    subnets: [],
    labels: {},
  })
  const { networks, servers, loadBalancers, volumes } = world.hetzner
  addServiceLoadBalancer(world, 'a-service', idOf(networks, 'demo'))
  addServiceLoadBalancer(world, 'b-service', idOf(networks, 'elsewhere'))
  addServiceLoadBalancer(world, 'c-service', undefined)
  const csi = { 'managed-by': 'csi-driver', 'pvc-name': 'data', 'pvc-namespace': 'shop' }
  addVolume(world, 'pvc-ours', {
    labels: { ...csi, cluster: 'demo', uid: identity.uid },
    server: idOf(servers, 'demo-workers-1'),
  })
  addVolume(world, 'pvc-old', { labels: csi, server: idOf(servers, 'demo-workers-1') })
  addVolume(world, 'pvc-namesake', { labels: { ...csi, cluster: 'demo' } })
  addVolume(world, 'pvc-theirs', { labels: { ...csi, cluster: 'demo', uid: 'fedcba9876543210' } })
  addVolume(world, 'by-hand', { labels: {}, server: idOf(servers, 'demo-workers-2') })
  const { ownership } = world.judge
  ownership.add(idOf(loadBalancers, 'a-service'))
  for (const name of ['pvc-ours', 'pvc-old']) ownership.add(idOf(volumes, name))
  return sandbox
}

describe('a destroy', () => {
  test('finds what the controllers of the cluster made, and knows it from what others made', async () => {
    await using sandbox = await busyCluster()
    const { records, guestVolumes } = await observeDestroy(sandbox.client, { identity })
    const names = (kind: string) =>
      records.filter((record) => record.kind === kind).map(({ name }) => name)
    expect(names('load-balancer')).toEqual(['demo', 'a-service'])
    expect(names('volume')).toEqual(['pvc-ours', 'pvc-old'])
    expect(records.find(({ name }) => name === 'pvc-ours')?.spec).toMatchObject({
      sizeGb: 10,
      claim: 'shop/data',
    })
    expect(guestVolumes).toMatchObject([{ name: 'by-hand', sizeGb: 10, server: 'demo-workers-2' }])
  })

  test('keeps the volumes unless the policy says otherwise', async () => {
    await using sandbox = await busyCluster()
    const { world, client } = sandbox
    await destroyCluster(client)
    expect(contents(world)).toEqual({
      loadBalancers: ['b-service', 'c-service'],
      networks: ['elsewhere'],
      volumes: ['by-hand', 'pvc-namesake', 'pvc-old', 'pvc-ours', 'pvc-theirs'],
    })
  })

  test('deletes the cluster’s own volumes if it is told to, and no others', async () => {
    await using sandbox = await busyCluster()
    const { world, client } = sandbox
    await destroyCluster(client, { volumes: 'delete' })
    expect(contents(world)['volumes']).toEqual(['by-hand', 'pvc-namesake', 'pvc-theirs'])
    expect(world.contractErrors).toEqual([])
  })

  test('goes from what depends to what is depended on', async () => {
    await using sandbox = await busyCluster()
    const { client } = sandbox
    await createTemporaryRule(client, { identity, runId: 'r', address: '127.0.0.1' })
    const keys: string[] = (await planDestroy(client, { volumes: 'delete' })).map(({ key }) => key)
    const goesBefore = (first: string, second: string) =>
      expect(keys.indexOf(first), `${first} before ${second}`).toBeLessThan(keys.indexOf(second))
    for (const last of ['network/demo', 'firewall/demo', 'firewall/demo-access-r']) {
      goesBefore('server/demo-workers-1', last)
    }
    goesBefore('load-balancer/a-service', 'network/demo')
    goesBefore('load-balancer/demo', 'network/demo')
    goesBefore('server/demo-workers-1', 'volume/pvc-ours')
    goesBefore('server/demo-workers-1', 'placement-group/demo-workers-1')
  })

  test('also works with the needs that each change carries by itself', async () => {
    await using sandbox = await busyCluster()
    const leftovers = await observeDestroy(sandbox.client, { identity })
    const changes = planDestroyHetzner(leftovers, { volumes: 'delete' })
    const network = changes.find(({ key }) => key === 'network/demo')
    expect(network?.needs).toEqual(
      expect.arrayContaining(['server/demo-workers-1', 'load-balancer/a-service']),
    )
    expect(changes.find(({ key }) => key === 'server/demo-workers-1')?.needs).toEqual([])
  })

  test('stops at what is protected, and says how to go on', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    const [network] = world.hetzner.networks.values()
    if (!network) throw new Error('the cluster has it')
    network.deleteProtected = true
    await expect(destroyCluster(client)).rejects.toMatchObject({
      code: 'hetzner-failed',
      message: expect.stringMatching(/^the network demo \(id \d+\) could not be deleted: /),
      target: 'demo',
      hint: expect.stringContaining('protection'),
    })
    network.deleteProtected = false
    await destroyCluster(client)
    expect(contents(world)).toEqual({})
  })

  test('reports what Hetzner will not let go of', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    world.faults.releaseLagMs = 3_600_000
    await expect(destroyCluster(client)).rejects.toMatchObject({
      code: 'leftovers',
      hint: expect.stringContaining('Run again'),
    })
  })
})
