import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { pollLimitMs } from '../hang-limit.ts'
import { startHostsCluster } from './hosts-run.ts'

const manifest = 'etc/kubernetes/manifests/kube-vip.yaml'

describe.skipIf(userInfo().uid !== 0)('a cluster behind a virtual IP', () => {
  test('begins with it, gets another kube-vip and another control plane host by host, and leaves none behind', async () => {
    const all = ['cp-1', 'cp-2', 'cp-3']
    await using rack = await startHostsCluster({ hosts: all })
    const { clusters, virtualIp } = rack.hosts
    const host = (name: string) => rack.hosts.host(name).host
    await rack.apply(all, { kubeVip: 'v1.2.2' })
    const [cluster] = clusters.all
    const holders = () =>
      clusters.nodes.flatMap(({ addresses, host: { name } }) =>
        addresses.has(virtualIp) ? [name] : [],
      )
    expect(cluster?.etcd.voters.length).toBe(3)
    await expect.poll(() => holders().length, { timeout: pollLimitMs }).toBe(1)
    for (const name of all) {
      const text = await host(name).folder.read(manifest)
      expect(text).toContain('kube-vip:v1.2.2')
      expect(text).toContain('/etc/kubernetes/admin.conf')
      expect(text).not.toContain('super-admin')
      // The holder itself reaches the address by its loopback.
      expect(text).toMatch(/vip_interface"?\n *value: "eth0"/)
    }

    // The kubelet of the first takes its time to see a changed file, longer than a slow machine takes to come to the next
    // one (the World's clock is fifty times as fast): who goes on before that is judged by the World.
    rack.hosts.host('cp-1').node.takeUpMs = 3_000_000
    const settings = ['apiServerExtraArgs: { v: "3" }', 'controllerManagerExtraArgs: { v: "4" }']
    const changed = { kubeVip: 'v1.2.3', settings }
    expect(await rack.apply(all, changed)).toEqual([
      'update kubernetes/rack',
      'update kube-vip/cp-1',
      'update kube-vip/cp-2',
      'update kube-vip/cp-3',
    ])
    for (const { containers } of clusters.nodes) {
      expect(containers.get('kube-vip')?.pod.image).toContain(':v1.2.3')
      expect(JSON.stringify(containers.get('kube-apiserver')?.pod.spec)).toContain('--v=3')
      const manager = containers.get('kube-controller-manager')
      expect(JSON.stringify(manager?.pod.spec)).toContain('--v=4')
    }

    await rack.apply(['cp-1'], changed)
    for (const name of ['cp-2', 'cp-3']) expect(host(name).folder.has(manifest)).toBe(false)
    await expect.poll(holders, { timeout: pollLimitMs }).toEqual(['cp-1'])
    expect(await rack.plan(['cp-1'], changed)).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })

  test('of Kubernetes 1.36 begins with the rights that it keeps', async () => {
    await using rack = await startHostsCluster({ hosts: ['cp-1'] })
    const parts = { kubernetes: '1.36.3', kubeVip: 'v1.2.3' }
    await rack.apply(['cp-1'], parts)
    const { host, node } = rack.hosts.host('cp-1')
    expect(await host.folder.read(manifest)).toContain('/etc/kubernetes/admin.conf')
    expect(node.addresses.has(rack.hosts.virtualIp)).toBe(true)
    expect(await rack.plan(['cp-1'], parts)).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })
})
