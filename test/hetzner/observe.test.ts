import { describe, expect, test } from 'vitest'
import { observeHetzner } from '../../src/hetzner/observe.ts'
import { recordKey } from '../../src/plan/record.ts'
import { applyCluster, identity, startHetznerWorld } from './hetzner-world.ts'

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
