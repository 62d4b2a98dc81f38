import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { startHostsCluster } from './hosts-run.ts'

describe.skipIf(userInfo().uid !== 0)('hosts that are replaced', () => {
  test('join again: another machine and a control plane by name, and roles that are exchanged and go back', async () => {
    const all = ['cp-1', 'cp-2', 'cp-3', 'worker-1']
    await using rack = await startHostsCluster({ hosts: all })
    await rack.apply(all)
    const [cluster] = rack.hosts.clusters.all
    const members = () => cluster?.etcd.voters.map(({ hostname }) => hostname).toSorted()
    const node = (name: string) => cluster?.kubernetes.context.store.get('nodes', name)
    const role = 'node-role.kubernetes.io/control-plane'

    const { host } = rack.hosts.host('worker-1')
    const former = host.machineId
    await host.replaceMachine()
    expect(await rack.plan(all)).toContainEqual(
      `error another machine is called worker-1 than the one that the state knows (machine id ${host.machineId}, recorded is ${former})`,
    )
    const memberOfCp2 = cluster?.etcd.voters.find(({ hostname }) => hostname === 'cp-2')?.id
    await rack.apply(all, { replace: ['worker-1', 'cp-2'] })
    expect(node('worker-1')).toMatchObject({ status: { nodeInfo: { machineID: host.machineId } } })
    expect(members()).toEqual(['cp-1', 'cp-2', 'cp-3'])
    expect(cluster?.etcd.members.has(memberOfCp2 ?? 0n)).toBe(false)

    const controlPlanes = ['cp-1', 'cp-2', 'worker-1']
    await rack.apply(all, { controlPlanes })
    expect(members()).toEqual(controlPlanes)
    expect(node('worker-1')?.metadata.labels).toHaveProperty([role])
    expect(node('cp-3')?.metadata.labels).not.toHaveProperty([role])
    expect(rack.hosts.host('cp-3').host.folder.has('etc/kubernetes/pki/ca.key')).toBe(false)
    await rack.apply(all)
    expect(members()).toEqual(['cp-1', 'cp-2', 'cp-3'])
    expect(rack.hosts.host('worker-1').host.folder.has('etc/kubernetes/pki/ca.key')).toBe(false)
    expect(await rack.plan(all)).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })
})
