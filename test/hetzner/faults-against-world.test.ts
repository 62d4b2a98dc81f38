import { describe, expect, test } from 'vitest'
import type { RequestFault } from '../../src/sandbox/faults.ts'
import { clusterSpec, pool } from '../plan/specs.ts'
import {
  applyCluster,
  completeCluster,
  contents,
  destroyCluster,
  planCluster,
  planDestroy,
  startHetznerWorld,
} from './hetzner-world.ts'

describe('faults of the outside', () => {
  const faults: [string, RequestFault[]][] = [
    ['conflicts', [{ kind: 'conflict', route: /^(POST|DELETE) /, times: 6 }]],
    ['locks', [{ kind: 'locked', route: 'POST /servers/{id}/actions/*', times: 4 }]],
    ['a rate limit that quotes the token', [{ kind: 'rate-limit-token', times: 4 }]],
    [
      'lost replies after each kind of create',
      ['servers', 'networks', 'firewalls', 'placement_groups', 'load_balancers', 'ssh_keys'].map(
        (path): RequestFault => ({ kind: 'drop-after', route: `POST /${path}` }),
      ),
    ],
    [
      'lost replies after actions',
      [
        { kind: 'drop-after', route: 'POST /servers/{id}/actions/attach_to_network', times: 2 },
        { kind: 'drop-after', route: 'POST /servers/{id}/actions/poweron' },
        { kind: 'drop-after', route: 'POST /load_balancers/{id}/actions/*', times: 4 },
      ],
    ],
    [
      'pages and gateways that break',
      [
        { kind: 'bad-gateway', times: 3 },
        { kind: 'timeout', times: 3 },
        { kind: 'drop-before', route: /^GET /, times: 3 },
        { kind: 'server-error', route: /^GET /, times: 3 },
      ],
    ],
  ]
  test.each(faults)('%s keep nothing from being made once and once only', async (_name, list) => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await planCluster(client)
    for (const fault of list) world.faults.inject({ front: 'hetzner', ...fault })
    await applyCluster(client)
    expect(contents(world)).toEqual(completeCluster)
    expect((await planCluster(client)).changes).toEqual([])
    for (const fault of list) world.faults.inject({ front: 'hetzner', ...fault })
    await destroyCluster(client)
    expect(contents(world)).toEqual({})
    expect(world.contractErrors).toEqual([])
  })

  test('such as late releases of firewalls and groups are waited for', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    world.faults.releaseLagMs = 20_000
    await applyCluster(client)
    await destroyCluster(client)
    expect(contents(world)).toEqual({})
  })

  test('such as answers full of news are understood', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    Object.assign(world.faults, {
      unknownFields: true,
      unknownEnumValues: true,
      nullLastPage: true,
    })
    await applyCluster(client)
    expect((await planCluster(client)).changes).toEqual([])
    await destroyCluster(client)
    expect(contents(world)).toEqual({})
  })

  test('such as no room name the type, the place and what to take instead', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    world.faults.soldOut('cx23', 'hel1')
    await expect(applyCluster(client)).rejects.toMatchObject({
      code: 'hetzner-unavailable',
      message: expect.stringContaining('cx23 in hel1'),
      hint: expect.stringMatching(/cx23 in .*fsn1.* or cx33/),
    })
    world.faults.restock()
    await applyCluster(client)
    expect(contents(world)).toEqual(completeCluster)
  })

  test('such as a creation that fails late leave no half server', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    const error = { code: 'resource_unavailable', message: 'error during placement' }
    world.faults.injectAction({ command: 'create_server', outcome: { error } })
    await expect(applyCluster(client)).rejects.toMatchObject({ code: 'hetzner-unavailable' })
    await applyCluster(client)
    expect(contents(world)).toEqual(completeCluster)
    expect((await planCluster(client)).changes).toEqual([])
  })

  test('such as a read-only token stop before anything is made', async () => {
    await using sandbox = await startHetznerWorld({ readOnly: true })
    const { world, client } = sandbox
    expect((await planCluster(client)).changes).not.toEqual([])
    await expect(applyCluster(client)).rejects.toMatchObject({ code: 'token-read-only' })
    expect(contents(world)).toEqual({})
  })

  test('such as a small budget of requests are lived with', async () => {
    await using sandbox = await startHetznerWorld({ requestsPerHour: 120 })
    const { world, client } = sandbox
    await applyCluster(client)
    expect(contents(world)).toEqual(completeCluster)
  })
})

describe('a run that dies', () => {
  test('after any request is gone on with, and nothing is made twice', async () => {
    const spec = clusterSpec({
      controlPlane: pool({ name: 'control-plane', count: 1 }),
      workers: [],
    })
    for (let step = 1; step < 60; step += 5) {
      await using sandbox = await startHetznerWorld()
      const { world, client } = sandbox
      await planCluster(client, spec)
      world.cutAfter(12 + step, { loseLast: step % 2 === 0 })
      const died = await applyCluster(client, spec).then(
        () => false,
        () => true,
      )
      world.restore()
      const { changes } = await planCluster(client, spec)
      if (!died) expect(changes).toEqual([])
      // What is left is a part of what was planned at first: creates, and nothing else.
      expect(new Set(changes.map(({ action }) => action)).size).toBeLessThanOrEqual(1)
      await applyCluster(client, spec)
      expect((await planCluster(client, spec)).changes).toEqual([])
      expect(contents(world)).toEqual({
        servers: ['demo-control-plane-1'],
        networks: ['demo'],
        firewalls: ['demo'],
        placementGroups: ['demo-control-plane-1'],
        loadBalancers: ['demo-api-(random)'],
        sshKeys: ['demo'],
      })
      expect(world.contractErrors).toEqual([])
      if (!died) break
    }
  })
})

describe('what is not ours', () => {
  test('stops a create under the same name and stays as it is', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await client.placementGroups.create({
      name: 'demo-workers-1',
      type: 'spread',
      labels: { cluster: 'demo', uid: 'fedcba9876543210' },
    })
    const { live } = await planCluster(client)
    expect(live.foreign).toMatchObject([{ name: 'demo-workers-1', claimsCluster: true }])
    await expect(applyCluster(client)).rejects.toMatchObject({ code: 'state-foreign' })
    await destroyCluster(client)
    expect(contents(world)).toEqual({ placementGroups: ['demo-workers-1'] })
  })

  test('never stands in a plan to destroy', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    for (const server of world.hetzner.servers.values()) {
      if (server.name === 'demo-workers-2') server.labels = { ...server.labels, uid: 'other' }
    }
    const keys = (await planDestroy(client)).map(({ key }) => key)
    expect(keys).toContain('server/demo-workers-1')
    expect(keys).not.toContain('server/demo-workers-2')
  })

  test('is looked at once more before it is deleted', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    const smaller = clusterSpec({ workers: [pool({ name: 'workers', count: 1 })] })
    world.onRequest(({ method, path }) => {
      if (method !== 'GET' || !/^\/servers\/\d+$/.test(path)) return
      for (const server of world.hetzner.servers.values()) {
        if (server.name === 'demo-workers-2') server.labels = {}
      }
    })
    await expect(applyCluster(client, smaller)).rejects.toMatchObject({ code: 'state-foreign' })
    expect(contents(world)['servers']).toContain('demo-workers-2')
  })
})

describe('a plan that is out of date', () => {
  test('is stopped where what it wanted to change is gone', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    const [firewall] = world.hetzner.firewalls.values()
    if (!firewall) throw new Error('the cluster has it')
    firewall.labels = { ...firewall.labels, component: 'changed' }
    world.onRequest(({ method, path }) => {
      if (method === 'GET' && path === `/firewalls/${firewall.id}`) {
        world.hetzner.firewalls.delete(firewall.id)
      }
    })
    await expect(applyCluster(client)).rejects.toMatchObject({ code: 'plan-moved' })
  })
})
