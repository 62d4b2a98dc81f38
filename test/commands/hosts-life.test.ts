import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { startHostsCluster } from './hosts-run.ts'

describe.skipIf(userInfo().uid !== 0)('a cluster on hosts that exist', () => {
  test('is made of bare hosts, and then there is nothing to do', async () => {
    const names = ['cp-1', 'worker-1']
    await using rack = await startHostsCluster({ hosts: names })
    expect((await rack.plan(names)).toSorted()).toEqual([
      'create etcd/rack',
      'create host/cp-1',
      'create host/worker-1',
      'create node/cp-1',
      'create node/worker-1',
    ])
    await rack.apply(names)
    const [cluster] = rack.hosts.clusters.all
    expect(cluster?.etcd.voters.map(({ hostname }) => hostname)).toEqual(['cp-1'])
    expect(await rack.plan(names)).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })
})
