import { X509Certificate } from 'node:crypto'
import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import {
  writeCertificates,
  writeKubeconfigs,
} from '../../src/sandbox/hosts/cluster/control-plane-files.ts'
import { clusterConfigurationOf } from '../../src/sandbox/hosts/cluster/kubeadm-join.ts'
import { startHostsCluster } from './hosts-run.ts'

const day = 24 * 3_600_000

describe.skipIf(userInfo().uid !== 0)('a cluster on hosts in its second year', () => {
  test('has its certificates renewed, gives kubelets other settings, and takes back a host that left', async () => {
    const all = ['cp-1', 'worker-1']
    await using rack = await startHostsCluster({ hosts: all })
    await rack.apply(all)
    const [cluster] = rack.hosts.clusters.all
    if (cluster === undefined) throw new Error('no cluster was made')
    const { host, node } = rack.hosts.host('cp-1')
    const { folder } = host

    // As if it had been made 340 days ago.
    const configuration = clusterConfigurationOf(cluster)
    const now = Date.now() - 340 * day
    const place = { folder, name: 'cp-1', nodeIp: node.nodeIp, configuration, now }
    await writeCertificates(place, true)
    await writeKubeconfigs(place, ['admin', 'super-admin', 'controller-manager', 'scheduler'])
    node.stopContainer('kube-apiserver')
    await node.sync()
    const former = new Map([...node.containers].map(([name, { id }]) => [name, id]))
    expect(await rack.apply(all)).toEqual(['update node/cp-1'])
    const renewed = [...node.containers].filter(([name, { id }]) => former.get(name) !== id)
    expect(renewed.map(([name]) => name).toSorted()).toEqual([
      'etcd',
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
    ])
    for (const path of ['apiserver', 'etcd/server', 'front-proxy-client']) {
      const { validTo } = new X509Certificate(await folder.read(`etc/kubernetes/pki/${path}.crt`))
      expect(Date.parse(validTo) - Date.now()).toBeGreaterThan(300 * day)
    }

    const settings = ['kubeletExtraArgs: { max-pods: "200" }']
    expect((await rack.apply(all, { settings })).toSorted()).toEqual([
      'update node/cp-1',
      'update node/worker-1',
    ])
    for (const name of all) {
      const flags = await rack.hosts
        .host(name)
        .host.folder.read('var/lib/kubelet/kubeadm-flags.env')
      expect(flags).toContain('--max-pods=200')
      const shown = cluster.kubernetes.context.store.get('nodes', name)
      expect(shown).toBeDefined()
      expect(shown).not.toMatchObject({ spec: { unschedulable: true } })
    }

    // It leaves as it is, and comes back with what is left on it.
    await rack.apply(['cp-1'], { settings })
    const worker = rack.hosts.host('worker-1').host.folder
    expect(worker.has('etc/kubernetes/kubelet.conf')).toBe(true)
    expect(cluster.kubernetes.context.store.get('nodes', 'worker-1')).toBeUndefined()
    await rack.apply(all, { settings })
    expect(cluster.kubernetes.context.store.get('nodes', 'worker-1')).toBeDefined()
    expect(await rack.plan(all, { settings })).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })
})
