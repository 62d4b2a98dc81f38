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

  test('grows by control planes one at a time, gives labels, lets a worker go, and ends clean', async () => {
    const all = ['cp-1', 'cp-2', 'cp-3', 'worker-1']
    await using rack = await startHostsCluster({ hosts: all })
    await rack.apply(['cp-1', 'worker-1'])
    const labels = '{ rack: r1 }'
    await rack.apply(all, { labels, onRemove: 'reset' })
    const [cluster] = rack.hosts.clusters.all
    expect(cluster?.etcd.voters.map(({ hostname }) => hostname).toSorted()).toEqual([
      'cp-1',
      'cp-2',
      'cp-3',
    ])
    const kept = all.slice(0, 3)
    // Pods run on control planes where there is nobody else.
    expect((await rack.plan(kept, { labels, onRemove: 'reset' })).toSorted()).toEqual([
      'delete host/worker-1',
      'delete node/worker-1',
      'update node/cp-1',
      'update node/cp-2',
      'update node/cp-3',
    ])
    await rack.apply(kept, { labels, onRemove: 'reset' })
    expect(rack.hosts.host('worker-1').host.folder.has('etc/kubernetes/kubelet.conf')).toBe(false)
    expect(await rack.plan(kept, { labels, onRemove: 'reset' })).toEqual([])
    await rack.destroy(kept, { labels, onRemove: 'reset' })
    const left = all.filter((name) => rack.hosts.host(name).host.folder.has('etc/kubernetes/pki'))
    expect(left).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })

  test('goes on where an init and a join died half way', async () => {
    const names = ['cp-1', 'cp-2', 'cp-3']
    await using rack = await startHostsCluster({ hosts: names })
    const { clusters } = rack.hosts
    clusters.deaths.set('cp-1', 'kubelet-start')
    await expect(rack.apply(names)).rejects.toMatchObject({ code: 'script-failed' })
    clusters.deaths.clear()
    clusters.deaths.set('cp-2', 'etcd-learner')
    await expect(rack.apply(names)).rejects.toMatchObject({ code: 'script-failed' })
    clusters.deaths.clear()
    await rack.apply(names)
    expect(clusters.all.map(({ etcd }) => etcd.voters.length)).toEqual([3])
    expect(await rack.plan(names)).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })

  test('is upgraded by one minor: the control plane, then each kubelet while its node is drained', async () => {
    const names = ['cp-1', 'worker-1']
    await using rack = await startHostsCluster({ hosts: names })
    await rack.apply(names, { kubernetes: '1.35.4' })
    expect((await rack.plan(names, { kubernetes: '1.36.3' })).toSorted()).toEqual([
      'waits kubelet/cp-1',
      'waits kubelet/worker-1',
      'waits kubernetes/rack',
    ])
    await rack.upgrade(names, { kubernetes: '1.36.3' })
    expect(await rack.plan(names, { kubernetes: '1.36.3' })).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })
})
