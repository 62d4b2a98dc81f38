import { userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClock } from '../../src/lib/clock.ts'
import { updateObject } from '../../src/sandbox/kubernetes/api/update-object.ts'
import { type KubeObject, withSpec } from '../../src/sandbox/kubernetes/model/kube-object.ts'
import { objectAt } from '../../src/sandbox/kubernetes/model/read-json.ts'
import { type HostsCluster, startHostsCluster } from './hosts-run.ts'

const names = ['cp-1', 'cp-2', 'cp-3', 'worker-1']
const day = 86_400_000
const manifests = '/etc/kubernetes/manifests'

describe.skipIf(userInfo().uid !== 0)('the doctor of a cluster on hosts', () => {
  let rack: HostsCluster
  beforeAll(async () => {
    rack = await startHostsCluster({ hosts: names })
    await rack.apply(names)
  })
  afterAll(() => rack[Symbol.asyncDispose]())

  const host = (name: string) => rack.hosts.host(name).host
  const cluster = () => {
    const [only] = rack.hosts.clusters.all
    if (!only) throw new Error('there is a cluster')
    return only
  }
  const cordon = (isCordoned: boolean) => {
    const { context } = cluster().kubernetes
    const change = (live: KubeObject) =>
      withSpec(live, { ...objectAt(live, 'spec'), unschedulable: isCordoned })
    const nodes = context.resources.builtin('nodes')
    updateObject(context, nodes, 'worker-1', change, { manager: 'kubectl' })
  }

  test('finds nothing where all is as it should be, and takes no identity for that', async () => {
    expect(await rack.findings(names)).toEqual([])
    const context = await rack.run()
    const blind = { state: { ...context.state, identity: undefined } }
    expect(await rack.findings(names, blind)).toEqual([])
  })

  test('names a check that fails, an API server that is down, members that never started, an alarm and a cordon', async () => {
    const { etcd } = cluster()
    await host('worker-1').folder.put('swaps', 'Filename\n/dev/sda2 partition 1 0 -2\n')
    await host('cp-2').run(`mv ${manifests}/kube-apiserver.yaml /root/`)
    etcd.addLearner({
      id: 4_711n,
      hostname: '',
      peerUrl: 'https://127.9.9.9:2380',
      clientUrl: 'https://127.9.9.9:2379',
      learner: true,
    })
    etcd.outOfSpace = etcd.voters.find(({ hostname }) => hostname === 'cp-3')?.id
    cordon(true)
    const found = await rack.findings(names)
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^bad hosts: worker-1 \(unprepared\): it is not so that .* \(swap\): .*sda2.* → hcloud-talos apply$/,
        ),
        expect.stringMatching(
          /^bad kubernetes: the API server of cp-2 does not answer: .*apply --replace cp-2/,
        ),
        expect.stringMatching(
          /^bad etcd: etcd has a member 1267 at https:\/\/127.9.9.9:2380, which never started.* → hcloud-talos apply$/,
        ),
        expect.stringMatching(/^bad etcd: etcd raises an alarm: cp-3 is out of space/),
        expect.stringMatching(/^weak kubernetes: worker-1 was cordoned by hand/),
      ]),
    )
    await host('worker-1').folder.put('swaps', 'Filename\n')
    await host('cp-2').run(`mv /root/kube-apiserver.yaml ${manifests}/`)
    etcd.remove(4_711n)
    etcd.outOfSpace = undefined
    cordon(false)
  })

  test('names a host that is off, its member, and a node that Kubernetes does not know', async () => {
    await host('cp-3').powerOff()
    await host('worker-1').run('systemctl stop kubelet')
    cluster().kubernetes.deleteNode('worker-1')
    const found = await rack.findings(names)
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^bad hosts: cp-3 is not reached: .* → Bring it back; .*apply/),
        expect.stringMatching(/^bad kubernetes: the Node cp-3 is not Ready: .*Bring the host/),
        expect.stringMatching(
          /^bad kubernetes: worker-1 runs, and Kubernetes does not know it → hcloud-talos apply$/,
        ),
      ]),
    )
    await host('cp-3').powerOn()
    await host('worker-1').run('systemctl start kubelet')
  })

  test('names an etcd without a quorum', async () => {
    for (const name of ['cp-2', 'cp-3']) await host(name).run(`mv ${manifests}/etcd.yaml /root/`)
    const found = await rack.findings(names)
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^bad etcd: etcd has no quorum: 1 of its 3 members answer, .*restore/,
        ),
        expect.stringMatching(/^bad kubernetes: the API server of cp-1 does not answer: /),
        expect.stringMatching(/^unknown kubernetes: the nodes were not looked at/),
      ]),
    )
    for (const name of ['cp-2', 'cp-3']) await host(name).run(`mv /root/etcd.yaml ${manifests}/`)
  })

  test('names certificates and support that end, a database that is almost full, and clocks', async () => {
    const { database } = cluster().etcd
    const before = database.size
    database.size = 2_000_000_000n
    const clock = createClock()
    const calendar = { ...clock, now: () => Date.now() + 350 * day }
    const found = await rack.findings(names, { calendar })
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^weak certificates: the first certificate of cp-1 ends on .*in 1[45] days → hcloud-talos apply$/,
        ),
        expect.stringMatching(
          /^weak etcd: the database of cp-\d takes 1907 MiB of its quota of 2048 MiB/,
        ),
        expect.stringMatching(/^bad clock: the clock of worker-1 is \d+\.\d s behind/),
        expect.stringMatching(/^weak versions: support of Kubernetes 1.35 .*ended on/),
      ]),
    )
    database.size = before
  })

  test('names a login that is rejected, and what was not looked at for it', async () => {
    host('worker-1').faults.rejectsLogins = true
    const found = await rack.findings(names)
    expect(found).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^bad hosts: worker-1: \[ssh-login-rejected\]/),
        expect.stringMatching(
          /^unknown hosts: the hosts, their cluster and the plan were not looked at/,
        ),
      ]),
    )
    host('worker-1').faults.rejectsLogins = false
  })
})
