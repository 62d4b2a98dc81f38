import { describe, expect, test } from 'vitest'
import type { ClusterSpec } from '../../src/spec/cluster-spec.ts'
import { clusterSpec, pool } from '../plan/specs.ts'
import {
  applyCluster,
  completeCluster,
  contents,
  destroyCluster,
  identity,
  planCluster,
  startHetznerWorld,
} from './hetzner-world.ts'

describe('a cluster on Hetzner', () => {
  test('is made, found to be as wanted, and taken away whole', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    const facts = await applyCluster(client)
    expect(contents(world)).toEqual(completeCluster)
    expect(facts.get('server/demo-workers-1')).toMatchObject({
      privateIp: '10.0.64.13',
      publicIp: expect.stringMatching(/^127\./),
      status: 'running',
    })
    expect((await planCluster(client)).changes).toEqual([])
    await destroyCluster(client)
    expect(contents(world)).toEqual({})
    expect(world.contractErrors).toEqual([])
  })

  test('has what it is asked to have', async () => {
    await using sandbox = await startHetznerWorld()
    const { hetzner } = sandbox.world
    await applyCluster(sandbox.client)
    const [loadBalancer] = hetzner.loadBalancers.values()
    expect(loadBalancer).toMatchObject({
      publicEnabled: false,
      privateNets: [{ ip: '10.0.32.254' }],
      services: [{ listenPort: 6443, destinationPort: 6443 }],
      targets: [
        {
          type: 'label_selector',
          selector: 'uid=0123456789abcdef,component=server,role=control-plane',
        },
      ],
    })
    const [firewall] = hetzner.firewalls.values()
    expect(firewall?.rules).toEqual([])
    for (const server of hetzner.servers.values()) {
      expect(server.labels).toMatchObject({ cluster: 'demo', uid: identity.uid })
      expect(server.placementGroup).not.toBeNull()
      expect(server.privateNets).toHaveLength(1)
      expect(firewall?.uses.some((use) => use.type === 'server' && use.server === server.id)).toBe(
        true,
      )
    }
  })

  test('grows and shrinks without touching what stays', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    const before = new Set(world.hetzner.servers.keys())
    const bigger = clusterSpec({ workers: [pool({ name: 'workers', count: 11 })] })
    await applyCluster(client, bigger)
    expect(world.hetzner.servers.size).toBe(14)
    expect([...before].every((id) => world.hetzner.servers.has(id))).toBe(true)
    expect(contents(world)['placementGroups']).toContain('demo-workers-2')
    expect((await planCluster(client, bigger)).changes).toEqual([])
    await applyCluster(client)
    expect(contents(world)).toEqual(completeCluster)
  })

  test('is fixed where somebody changed it by hand', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    const [loadBalancer] = world.hetzner.loadBalancers.values()
    const [server] = world.hetzner.servers.values()
    const [firewall] = world.hetzner.firewalls.values()
    if (!loadBalancer || !server || !firewall) throw new Error('the cluster has them')
    loadBalancer.publicEnabled = true
    loadBalancer.services = []
    server.labels = { cluster: 'demo', uid: identity.uid, component: 'server', team: 'red' }
    firewall.uses = firewall.uses.slice(1)
    await applyCluster(client)
    expect((await planCluster(client)).changes).toEqual([])
    expect(server.labels).toMatchObject({ team: 'red', role: 'control-plane' })
    expect(world.contractErrors).toEqual([])
  })

  test('has its names where they belong, also after somebody passed them around', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    const { servers } = world.hetzner
    const named = (name: string) => [...servers.values()].find((one) => one.name === name)?.id ?? 0
    const ring = [1, 2, 3].map((slot) => named(`demo-control-plane-${slot}`))
    await client.servers.rename(ring[0] ?? 0, 'passing')
    await client.servers.rename(ring[1] ?? 0, 'demo-control-plane-1')
    await client.servers.rename(ring[2] ?? 0, 'demo-control-plane-2')
    await client.servers.rename(ring[0] ?? 0, 'demo-control-plane-3')
    // Another of ours has the name of one that is to be created: it is not taken for it.
    const kept = named('demo-workers-2')
    servers.delete(named('demo-workers-1'))
    await client.servers.rename(kept, 'demo-workers-1')
    await applyCluster(client)
    expect([1, 2, 3].map((slot) => named(`demo-control-plane-${slot}`))).toEqual(ring)
    expect(named('demo-workers-2')).toBe(kept)
    expect(contents(world)).toEqual(completeCluster)
    expect((await planCluster(client)).changes).toEqual([])
  })

  test('joins its placement group again with a power cycle', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    const worker = [...world.hetzner.servers.values()].find((one) => one.name === 'demo-workers-1')
    if (!worker) throw new Error('the cluster has it')
    const bootId = world.machine(worker.id)?.bootId
    worker.placementGroup = null
    const { changes } = await planCluster(client)
    expect(changes.map(({ key, risk }) => `${key} ${risk}`)).toEqual([
      'server/demo-workers-1 reboot',
    ])
    await applyCluster(client)
    expect(worker.placementGroup).not.toBeNull()
    expect(world.machine(worker.id)?.power).toBe('on')
    expect(world.machine(worker.id)?.bootId).not.toBe(bootId)
  })

  test('has servers without a public side in the network, under the address that we chose', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    const workers = [pool({ name: 'workers', count: 1, publicIpv4: false, publicIpv6: false })]
    const spec = clusterSpec({ workers })
    const facts = await applyCluster(client, spec)
    expect(facts.get('server/demo-workers-1')).toMatchObject({
      privateIp: '10.0.64.13',
      publicIp: null,
    })
    expect((await planCluster(client, spec)).changes).toEqual([])
    expect(world.contractErrors).toEqual([])
  })

  test('lives in a network that was lent to it, and leaves that alone', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await client.networks.create({
      name: 'office',
      ip_range: '10.0.0.0/16',
      subnets: ['10.0.64.0/19', '10.0.32.0/24'].map((ip_range) => ({
        type: 'cloud',
        ip_range,
        network_zone: 'eu-central',
      })),
      labels: {},
    })
    const hetzner = { ...clusterSpec().hetzner, network: 'office' }
    const spec = clusterSpec({ hetzner })
    await applyCluster(client, spec)
    expect((await planCluster(client, spec)).changes).toEqual([])
    await destroyCluster(client, { network: 'office' })
    expect(contents(world)).toEqual({ networks: ['office'] })
  })

  test('is planned with few requests, and asks for nothing that Hetzner does not know', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    const workers = [pool({ name: 'workers', count: 97 })]
    const spec = clusterSpec({ workers })
    await applyCluster(client, spec)
    const requests = client.requests
    expect(requests).toBeLessThan(700)
    expect((await planCluster(client, spec)).changes).toEqual([])
    expect(client.requests - requests).toBeLessThanOrEqual(15)
    expect(world.contractErrors).toEqual([])
  })
})

describe('a change of the spec', () => {
  const original = clusterSpec()
  const changed: [string, Partial<ClusterSpec>, string[]][] = [
    [
      'who may reach the APIs',
      { firewall: { ...original.firewall, kubernetesApi: ['203.0.113.0/24', '2001:DB8::/32'] } },
      ['update firewall/demo'],
    ],
    [
      'the size and the public side of the load balancer',
      { loadBalancer: { ...original.loadBalancer, type: 'lb21', privateOnly: false } },
      ['update load-balancer/demo'],
    ],
    [
      'the range of the load balancer',
      { network: { ...original.network, loadBalancerRange: '10.0.33.0/24' } },
      ['update network/demo', 'replace load-balancer/demo'],
    ],
    [
      'the size of the network',
      { network: { ...original.network, cidr: '10.0.0.0/15' } },
      ['update network/demo'],
    ],
    [
      'the keys of new servers',
      { hetzner: { ...original.hetzner, sshKeys: ['mine'] } },
      ['delete ssh-key/demo'],
    ],
    [
      'the type of the workers',
      { workers: [pool({ name: 'workers', count: 2, type: 'cx33' })] },
      ['replace server/demo-workers-1', 'replace server/demo-workers-2'],
    ],
  ]
  test.each(changed)('of %s is made, and made once', async (_name, partial, expected) => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    const spec = clusterSpec(partial)
    const { changes } = await planCluster(client, spec)
    expect(changes.map(({ action, key }) => `${action} ${key}`)).toEqual(expected)
    await applyCluster(client, spec)
    expect((await planCluster(client, spec)).changes).toEqual([])
    expect(world.contractErrors).toEqual([])
  })
})
