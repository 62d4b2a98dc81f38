import { describe, expect, test } from 'vitest'
import {
  createTemporaryRule,
  deleteTemporaryRule,
  sweepTemporaryRules,
} from '../../src/hetzner/temporary-rules.ts'
import type { World } from '../../src/sandbox/world.ts'
import {
  applyCluster,
  contents,
  identity,
  planCluster,
  startHetznerWorld,
} from './hetzner-world.ts'

const access = { identity, runId: '4711-1', address: '127.0.0.1' }

function admits(world: World, port: number, name = 'demo-workers-1', source = '127.0.0.1') {
  const machine = world.machineNamed(name)
  if (!machine) throw new Error(`there is no ${name}`)
  return world.admits(machine, 'tcp', port, source)
}

describe('the access of a run', () => {
  test('lets its address in to both APIs, and nobody else, until it is closed', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    expect(admits(world, 50_000)).toBe(false)
    await createTemporaryRule(client, access)
    expect([50_000, 6_443, 22].map((port) => admits(world, port))).toEqual([true, true, false])
    expect(admits(world, 50_000, 'demo-control-plane-1')).toBe(true)
    expect(admits(world, 50_000, 'demo-workers-1', '127.0.0.2')).toBe(false)
    await deleteTemporaryRule(client, access)
    expect(admits(world, 50_000)).toBe(false)
    await deleteTemporaryRule(client, access)
    expect(contents(world)['firewalls']).toEqual(['demo'])
    expect(world.contractErrors).toEqual([])
  })

  test('holds for servers that are made later, and is no difference to a plan', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await createTemporaryRule(client, access)
    await applyCluster(client)
    expect(admits(world, 50_000)).toBe(true)
    const { changes, live } = await planCluster(client)
    expect(changes).toEqual([])
    expect(live.strays).toMatchObject([{ kind: 'firewall', name: 'demo-access-4711-1' }])
  })

  test('moves when it is opened again from elsewhere, also after a lost reply', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await applyCluster(client)
    world.faults.inject({ kind: 'drop-after', route: 'POST /firewalls' })
    await createTemporaryRule(client, access)
    await createTemporaryRule(client, { ...access, address: '127.0.0.9' })
    expect(admits(world, 50_000)).toBe(false)
    expect(admits(world, 50_000, 'demo-workers-1', '127.0.0.9')).toBe(true)
  })

  test('that a dead run left is swept when its time is over', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    await createTemporaryRule(client, { ...access, hours: -1 })
    await createTemporaryRule(client, { ...access, runId: '4712-1' })
    const others = { ...identity, uid: 'fedcba9876543210' }
    await createTemporaryRule(client, { ...access, identity: others, runId: 'other', hours: -1 })
    expect(await sweepTemporaryRules(client, access)).toEqual(['demo-access-4711-1'])
    expect(contents(world)['firewalls']).toEqual(['demo-access-4712-1', 'demo-access-other'])
  })

  test('is closed only where it is ours: a namesake of another cluster stays', async () => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    const theirs = { ...access, identity: { ...identity, uid: 'fedcba9876543210' } }
    await createTemporaryRule(client, theirs)
    await deleteTemporaryRule(client, access)
    expect(contents(world)['firewalls']).toEqual(['demo-access-4711-1'])
    await deleteTemporaryRule(client, theirs)
    expect(contents(world)['firewalls']).toBeUndefined()
  })

  test.each([-10, 10])('is left alone by a run whose clock is %d hours ahead', async (hours) => {
    await using sandbox = await startHetznerWorld()
    const { world, client } = sandbox
    const now = () => world.clock.now() + hours * 3_600_000
    const other = sandbox.connect({ ...world.clock, now })
    await createTemporaryRule(client, access)
    expect(await sweepTemporaryRules(other, access)).toEqual([])
    await deleteTemporaryRule(client, access)
    await createTemporaryRule(other, access)
    expect(await sweepTemporaryRules(client, access)).toEqual([])
    await createTemporaryRule(other, { ...access, runId: '4713-1', hours: -1 })
    expect(await sweepTemporaryRules(client, access)).toEqual(['demo-access-4713-1'])
  })

  test('needs an address', async () => {
    await using sandbox = await startHetznerWorld()
    const opening = createTemporaryRule(sandbox.client, { ...access, address: '<html>' })
    await expect(opening).rejects.toMatchObject({ code: 'usage' })
  })
})
