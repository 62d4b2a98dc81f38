import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { startHostsCluster } from './hosts-run.ts'

const names = ['cp-1', 'cp-2', 'cp-3']
const [former, wanted] = ['1.35.4', '1.36.3']

describe.skipIf(userInfo().uid !== 0)('an upgrade of hosts that was cut off', () => {
  test('keeps on each control plane what that has come to, whatever else is applied, and is finished by the next one', async () => {
    await using rack = await startHostsCluster({ hosts: names })
    const { clusters } = rack.hosts
    await rack.apply(names, { kubernetes: former })
    clusters.deaths.set('cp-2', 'upgrade')
    await expect(rack.upgrade(names, { kubernetes: wanted })).rejects.toMatchObject({
      code: 'script-failed',
    })
    clusters.deaths.clear()
    const servers = () =>
      names.map((name) => {
        const pod = rack.hosts.host(name).node.containers.get('kube-apiserver')?.pod
        const [, version] = /:v([\d.]+)$/.exec(pod?.image ?? '') ?? []
        return [version, JSON.stringify(pod?.spec).includes('--v=3')]
      })
    expect(servers().map(([version]) => version)).toEqual([wanted, former, former])

    const settings = ['apiServerExtraArgs: { v: "3" }']
    expect(await rack.apply(names, { kubernetes: wanted, settings })).toEqual([
      'update kubernetes/rack',
      'waits kubernetes/rack',
      ...names.map((name) => `waits kubelet/${name}`),
    ])
    expect(servers()).toEqual([
      [wanted, true],
      [former, true],
      [former, true],
    ])

    // A slow control plane: kubeadm gives a pod 15 seconds, and has not changed anything when they are over.
    clusters.slowHealthJobs = 2
    await rack.upgrade(names, { kubernetes: wanted, settings })
    expect(clusters.slowHealthJobs).toBe(0)
    expect(servers().map(([version]) => version)).toEqual([wanted, wanted, wanted])
    expect(await rack.plan(names, { kubernetes: wanted, settings })).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })
})
