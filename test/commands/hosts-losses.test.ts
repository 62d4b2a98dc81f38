import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { startHostsCluster } from './hosts-run.ts'

describe.skipIf(userInfo().uid !== 0)('a cluster on hosts of which one is lost', () => {
  test('goes on with two of three control planes, lets the dead one go, and takes another in its place', async () => {
    const all = ['cp-1', 'cp-2', 'cp-3', 'cp-4']
    const first = all.slice(0, 3)
    await using rack = await startHostsCluster({ hosts: all })
    await rack.apply(first)
    const [cluster] = rack.hosts.clusters.all
    const members = () => cluster?.etcd.voters.map(({ hostname }) => hostname).toSorted()
    const { kubernetes } = cluster ?? {}
    const node = (name: string) => kubernetes?.context.store.get('nodes', name)
    await rack.hosts.host('cp-2').host.powerOff()

    // While it is off: what stops nobody is done, and nothing on it.
    const labels = '{ rack: r1 }'
    expect(await rack.apply(first, { labels })).toEqual(['update node/cp-1', 'update node/cp-3'])
    expect(node('cp-1')?.metadata.labels).toMatchObject({ rack: 'r1' })
    expect(node('cp-2')?.metadata.labels).not.toHaveProperty('rack')
    // What takes a living member, or adds one beside it, is refused.
    expect(await rack.plan(first, { labels, replace: ['cp-3'] })).toContain(
      'error replace of cp-3 would take a member from etcd while cp-2 is down',
    )
    const settings = ['apiServerExtraArgs: { v: "3" }']
    await expect(rack.apply(first, { labels, settings })).rejects.toMatchObject({
      code: 'plan-refused',
    })
    expect(members()).toEqual(first)

    // Gone for good: its member leaves by another one, and a new host takes its place after that.
    const rest = ['cp-1', 'cp-3', 'cp-4']
    expect(await rack.apply(rest, { labels })).toEqual([
      'create host/cp-4',
      'delete node/cp-2',
      'create node/cp-4',
    ])
    expect(members()).toEqual(rest)
    expect(node('cp-2')).toBeUndefined()
    expect(cluster?.isAvailable).toBe(true)
    expect(await rack.plan(rest, { labels })).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })
})
