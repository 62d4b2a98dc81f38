import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { leaveHost } from '../../src/engine/kubeadm/leave-host.ts'
import { runScript } from '../../src/ssh/run-script.ts'
import { reachHosts } from '../sandbox/hosts/reach-hosts.ts'

describe.skipIf(userInfo().uid !== 0)('a host that leaves', () => {
  test('is left alone unless it carries the mark of the cluster that it leaves', async () => {
    await using hosts = await reachHosts({ hosts: 1, speed: 1 })
    const { folder } = hosts.host('host-1').host
    const remote = hosts.remote('host-1')
    const leave = () => leaveHost(remote, { uid: 'ours', leftAs: 'reset', minutes: 5 })
    const kept = ['etc/kubernetes/kubelet.conf', 'var/lib/etcd/member/snap', 'etc/cni/net.d/10-x']
    for (const path of kept) await folder.put(path, 'somebody needs this')
    const mark = (uid: string) =>
      JSON.stringify({ cluster: 'rack', uid, generation: 1, keyEpoch: 1 })
    const isThere = () => kept.map((path) => folder.has(path))
    await leave()
    expect(isThere()).toEqual([true, true, true])
    await folder.put('var/lib/hcloud-talos/cluster.json', mark('theirs'))
    await leave()
    expect(isThere()).toEqual([true, true, true])
    await folder.put('var/lib/hcloud-talos/cluster.json', mark('ours'))
    await leave()
    expect(isThere()).toEqual([false, false, false])
    expect(folder.has('var/lib/hcloud-talos/cluster.json')).toBe(false)
  })

  test('keeps a disk of its own that etcd had, and nothing on it', async () => {
    await using hosts = await reachHosts({ hosts: 1, speed: 1 })
    const { host } = hosts.host('host-1')
    const remote = hosts.remote('host-1')
    const ownDisk =
      'mkdir -p /var/lib/etcd && mount -t tmpfs disk /var/lib/etcd && mkdir /var/lib/etcd/member'
    await runScript(remote, { title: 'mount', text: ownDisk, withinMs: 60_000 })
    const mark = { cluster: 'rack', uid: 'ours', generation: 1, keyEpoch: 1 }
    await host.folder.put('var/lib/hcloud-talos/cluster.json', JSON.stringify(mark))
    await leaveHost(remote, { uid: 'ours', leftAs: 'reset', minutes: 5 })
    const { stdout } = await runScript(remote, {
      title: 'look',
      text: 'mountpoint /var/lib/etcd && ls -A /var/lib/etcd',
      withinMs: 60_000,
    })
    expect(stdout.trim()).toBe('/var/lib/etcd is a mountpoint')
  })
})
