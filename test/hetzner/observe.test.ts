import { describe, expect, test } from 'vitest'
import { findClusterUid } from '../../src/hetzner/find-cluster-uid.ts'
import { observeHetzner } from '../../src/hetzner/observe.ts'
import { recordKey } from '../../src/plan/record.ts'
import { applyCluster, identity, planCluster, startHetznerWorld } from './hetzner-world.ts'

describe('a look at the project', () => {
  test('finds what is ours, with its ids, prices and addresses', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    const live = await observeHetzner(client, identity)
    const server = live.records.find((record) => recordKey(record) === 'server/demo-workers-1')
    expect(server?.monthlyCost).toBeGreaterThan(5)
    expect(server?.facts).toMatchObject({ id: live.ids.get('server/demo-workers-1') })
    expect(live.ids.get('network/demo')).toBe([...world.hetzner.networks.keys()][0])
    expect(live.projectServers).toBe(5)
    expect(live.sshKeyNames).toEqual(['demo'])
    expect(live.foreign).toEqual([])
    expect(live.snapshots).toHaveLength(1)
  })

  test('without a uid takes nothing for ours, and sees that somebody of our name was here', async () => {
    await using sandbox = await startHetznerWorld()
    const { client } = sandbox
    await applyCluster(client)
    const live = await observeHetzner(client, { clusterName: 'demo', uid: undefined })
    expect(live.records).toEqual([])
    expect(live.ids.size).toBe(0)
    expect(live.foreign).toHaveLength(11)
    expect(live.foreign.every(({ claimsCluster }) => claimsCluster)).toBe(true)
  })

  test('of another cluster sees ours as foreign, but claiming nothing', async () => {
    await using sandbox = await startHetznerWorld()
    const { client } = sandbox
    await applyCluster(client)
    const live = await observeHetzner(client, { clusterName: 'other', uid: 'fedcba9876543210' })
    expect(live.records).toEqual([])
    expect(live.foreign.some(({ claimsCluster }) => claimsCluster)).toBe(false)
    expect(live.foreign.map(({ name }) => name)).toContain('demo-workers-1')
  })

  test('finds no uid for a lost state where a server of the cluster may have lost it', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    expect(await findClusterUid(client, 'demo')).toBe(identity.uid)
    const [server] = world.hetzner.servers.values()
    if (!server) throw new Error('the cluster has it')
    server.labels = { cluster: 'demo', role: 'control-plane' }
    await expect(findClusterUid(client, 'demo')).rejects.toMatchObject({
      code: 'recovery-impossible',
      message: expect.stringContaining(server.name),
    })
  })

  test('asks for an id that no list shows, and takes only its 404 for an end', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    const { context } = await planCluster(client)
    const id = context.ids.get('server/demo-workers-1') ?? 0
    const known = {
      ids: new Map([
        ['server/demo-workers-1' as const, id],
        ['server/demo-workers-2' as const, 4711],
      ]),
      claimed: new Set<never>(),
      nodes: new Map(),
      images: new Map(),
      complete: true,
    }
    const before = world.requests.length
    const live = await observeHetzner(client, { ...identity, known })
    const asked = world.requests.slice(before).map(({ path }) => path)
    expect(asked.filter((path) => /\/\d+$/.test(path))).toEqual(['/servers/4711'])
    expect(live.records.map(recordKey)).toEqual(['server/demo-workers-1'])
    world.faults.inject({ kind: 'server-error', route: 'GET /servers/{id}', times: 1_000 })
    await expect(observeHetzner(client, { ...identity, known })).rejects.toMatchObject({
      code: 'hetzner-failed',
    })
  })

  test('does not take a server that is going for one that is there', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    const [server] = world.hetzner.servers.values()
    if (!server) throw new Error('the cluster has it')
    server.transition = 'deleting'
    const live = await observeHetzner(client, identity)
    expect(live.records.map(recordKey)).not.toContain(`server/${server.name}`)
  })
})
