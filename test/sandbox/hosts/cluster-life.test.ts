import { X509Certificate } from 'node:crypto'
import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { printSnapshotScript } from '../../../src/kubeadm/acts/etcd-scripts.ts'
import { memberScript } from '../../../src/kubeadm/cluster/member-script.ts'
import { upgradeFile } from '../../../src/kubeadm/config/upgrade-configuration.ts'
import { userFile } from '../../../src/kubeadm/config/user-file.ts'
import { getNode } from '../../../src/kubernetes/nodes.ts'
import { textAt } from '../../../src/lib/kubernetes-object.ts'
import { relayProgram } from '../../../src/sandbox/hosts/programs/program-file.ts'
import { startRack } from './start-rack.ts'

const waiting = { timeout: 60_000 }
const admins = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'kube-system',
  name: 'kubeadm-config',
}

describe.skipIf(userInfo().uid !== 0)('a cluster on simulated hosts', () => {
  test('has its virtual IP on one host, which moves when that one is off', async () => {
    await using rack = await startRack(['cp-1', 'cp-2', 'cp-3'], { hasVirtualIp: true })
    const { virtualIp, clusters } = rack.hosts
    await rack.writeKubeVip('cp-1', 'before-init')
    expect(await rack.init()).toMatchObject({ code: 0 })
    for (const name of ['cp-1', 'cp-2', 'cp-3']) {
      if (name !== 'cp-1') expect(await rack.join(name)).toMatchObject({ code: 0 })
      await rack.writeKubeVip(name, 'after')
    }
    const [cluster] = clusters.all
    await expect.poll(() => cluster?.holder?.host.name, waiting).toBe('cp-1')
    const shown = await rack.host('cp-1').run('ip -o addr show; ip -o route get "$1"', [virtualIp])
    expect(shown.stdout).toContain(`inet ${virtualIp}/32`)
    expect(shown.stdout).toContain(`local ${virtualIp} dev lo`)
    expect(clusters.route(virtualIp)).toBe(virtualIp)
    await rack.host('cp-1').powerOff()
    await expect.poll(() => cluster?.holder?.host.name, waiting).toBe('cp-2')
    expect(cluster?.isReachable()).toBe(true)
    await rack.host('cp-1').powerOn()
    expect(cluster?.holder?.host.name).toBe('cp-2')
  })

  test.each([
    ['1.35.4', 'after', 1],
    ['1.35.4', 'before-init', 0],
    ['1.36.3', 'before-init', 0],
  ] as const)(
    'of %s begins with the rights that kube-vip has %s: %i',
    async (version, stage, code) => {
      await using rack = await startRack(['cp-1'], { version, hasVirtualIp: true })
      await rack.writeKubeVip('cp-1', stage)
      expect(await rack.init()).toMatchObject({ code })
    },
  )

  test('has no API without its quorum', async () => {
    await using rack = await startRack(['cp-1', 'cp-2', 'cp-3'])
    await rack.init()
    await rack.join('cp-2')
    await rack.join('cp-3')
    const [cluster] = rack.hosts.clusters.all
    await rack.host('cp-1').powerOff()
    expect(cluster?.isAvailable).toBe(true)
    await rack.host('cp-2').powerOff()
    expect(cluster?.isAvailable).toBe(false)
    const asked = await rack.host('cp-3').run(memberScript, ['list'])
    expect(asked).toMatchObject({ code: 1, stderr: 'Error: etcdserver: no leader\n' })
    await rack.host('cp-2').powerOn()
    expect(cluster?.isAvailable).toBe(true)
  })

  test('is upgraded by kubeadm in its own order, one minor at a time', async () => {
    await using rack = await startRack(['cp-1', 'cp-2', 'cp-3', 'worker-1'])
    await rack.init()
    await rack.join('cp-2')
    await rack.join('worker-1')
    const { spec } = rack
    const file = (version: string) =>
      upgradeFile({ ...spec, kubernetes: { ...spec.kubernetes, version } })
    const install = (name: string, program: string, version: string) =>
      rack.host(name).folder.put(`state/packages/${program}`, `${version}-1.1\n`)
    const run = async (name: string, words: string, version: string) => {
      await rack.host(name).folder.put('root/up.yaml', file(version))
      return rack.host(name).run(`kubeadm upgrade ${words} --config /root/up.yaml`)
    }
    expect(await run('cp-1', 'apply --yes', '1.36.3')).toMatchObject({ code: 1 })
    await install('cp-1', 'kubeadm', '1.37.2')
    expect(await run('cp-1', 'apply --yes', '1.37.2')).toMatchObject({ code: 1 })
    for (const name of ['cp-1', 'cp-2', 'cp-3', 'worker-1'])
      await install(name, 'kubeadm', '1.36.3')
    expect(await run('cp-1', 'apply', '1.36.3')).toMatchObject({ code: 1 })
    expect(await run('cp-1', 'apply --yes', '1.36.3')).toMatchObject({ code: 0 })
    const client = await rack.client()
    const proxy = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'kube-system',
      name: 'coredns',
    }
    const dns = async () => JSON.stringify(await client.get(proxy))
    expect(await dns()).toContain('coredns:v1.13.1')
    for (const name of ['cp-2', 'worker-1']) {
      expect(await run(name, 'node', '1.36.3')).toMatchObject({ code: 0 })
    }
    expect(await dns()).toContain('coredns:v1.14.2')
    expect(textAt(await client.get(admins), 'data', 'ClusterConfiguration')).toContain('v1.36.3')
    const etcd = await rack.host('cp-2').folder.read('etc/kubernetes/manifests/etcd.yaml')
    expect(etcd).toContain('etcd:3.6.8-0')
    expect(await getNode(client, 'worker-1')).toMatchObject({ kubeletVersion: 'v1.35.4' })
    await install('worker-1', 'kubelet', '1.36.3')
    await rack.host('worker-1').run('systemctl restart kubelet')
    expect(await getNode(client, 'worker-1')).toMatchObject({ kubeletVersion: 'v1.36.3' })
  })

  test('has certificates that are shown, and renewed for what is restarted then', async () => {
    await using rack = await startRack(['cp-1'])
    await rack.init()
    const host = rack.host('cp-1')
    const serial = async () =>
      new X509Certificate(await host.folder.read('etc/kubernetes/pki/apiserver.crt')).serialNumber
    const before = await serial()
    const shown = await host.run('kubeadm certs check-expiration -o json')
    expect(JSON.parse(shown.stdout)).toMatchObject({
      kind: 'CertificateExpirationInfo',
      certificates: expect.arrayContaining([expect.objectContaining({ name: 'apiserver' })]),
    })
    expect((await host.run('kubeadm certs renew all')).code).toBe(0)
    expect(await serial()).not.toBe(before)
    const stop = "crictl ps --name '^kube-apiserver$' --quiet | xargs -r crictl stop"
    expect((await host.run(stop)).code).toBe(0)
    expect(rack.hosts.clusters.all[0]?.isAvailable).toBe(false)
    expect((await host.run('crictl ps --name "^kube-apiserver$" --quiet')).stdout).toMatch(
      /^\w+\n$/,
    )
    const user = 'kubeadm kubeconfig user --client-name jane --org dev'
    expect(await host.run(user)).toMatchObject({ code: 1 })
    const { nodeIp } = rack.hosts.host('cp-1').node
    const file = userFile(rack.spec, { name: 'cp-1', nodeIp }, rack.spec.kubernetes.version)
    await host.folder.put('root/user.yaml', file)
    const shownUser = await host.run(`${user} --config /root/user.yaml --validity-period 90m`)
    expect(shownUser.stdout).toContain('jane@rack')
  })
})

describe.skipIf(userInfo().uid !== 0)('what is done to hosts is judged', () => {
  test('an authority that is made where a host shows one', async () => {
    await using rack = await startRack(['cp-1', 'cp-2', 'cp-3'])
    rack.hosts.world.judge.expect('one-authority', 'init on two hosts')
    await rack.init()
    await rack.init('cp-2')
  })

  test('two control planes that join at once', async () => {
    await using rack = await startRack(['cp-1', 'cp-2', 'cp-3'])
    rack.hosts.world.judge.expect('one-join-at-a-time', 'both join')
    await rack.init()
    await Promise.all([rack.join('cp-2'), rack.join('cp-3')])
    rack.hosts.world.judge.expect('one-control-plane-at-a-time', 'both are changed by hand')
    for (const name of ['cp-1', 'cp-2']) {
      rack.node(name).takeUpMs = 3_600_000
      const path = '/etc/kubernetes/manifests/kube-scheduler.yaml'
      await rack.host(name).run(`echo "# changed" >>${path}; crictl ps`)
    }
  })

  test('a host that is reset under its pods, and a containerd that is restarted under them', async () => {
    await using rack = await startRack(['cp-1', 'worker-1'])
    const { judge } = rack.hosts.world
    judge.expect('drained-before-reset', 'nobody drained it')
    judge.expect('runtime-restarted-drained', 'nobody drained it')
    await rack.init()
    await rack.join('worker-1')
    await rack.host('worker-1').run('systemctl restart containerd')
    await rack.host('worker-1').run('kubeadm reset --force')
  })

  test('a voter that is taken out while another one is away', async () => {
    await using rack = await startRack(['cp-1', 'cp-2', 'cp-3'])
    rack.hosts.world.judge.expect('one-voter-away', 'cp-3 is off')
    await rack.init()
    await rack.join('cp-2')
    await rack.join('cp-3')
    await rack.host('cp-3').powerOff()
    const [cluster] = rack.hosts.clusters.all
    const member = cluster?.etcd.voters.find(({ hostname }) => hostname === 'cp-2')
    const id = member?.id.toString(16) ?? ''
    const removed = await rack.host('cp-1').run(memberScript, ['remove', id])
    expect(removed).toMatchObject({ code: 1, stderr: expect.stringContaining('unhealthy cluster') })
  })

  test('two hosts with the virtual IP, and a token without an end', async () => {
    await using rack = await startRack(['cp-1', 'cp-2', 'cp-3'], { hasVirtualIp: true })
    const { judge } = rack.hosts.world
    judge.expect('one-vip-holder', 'added by hand')
    judge.expect('tokens-end', 'good for a day')
    judge.expect('super-admin-for-init-alone', 'nobody writes its manifest again')
    await rack.writeKubeVip('cp-1', 'before-init')
    await rack.init()
    await rack.host('cp-2').run('ip addr add "$1/32" dev eth0', [rack.hosts.virtualIp])
    await rack.host('cp-1').run('kubeadm token create --ttl 24h')
  })

  test('data of etcd that goes under it, a snapshot that lets revisions go back, and a second etcd', async () => {
    await using rack = await startRack(['cp-1', 'cp-2', 'cp-3'])
    await rack.init()
    await rack.join('cp-2')
    const { judge } = rack.hosts.world
    judge.expect('data-at-rest', 'removed while it runs')
    judge.expect('revisions-go-on', 'restored without a bump')
    judge.expect('one-etcd', 'started beside the one that runs')
    const host = rack.host('cp-2')
    await host.run(printSnapshotScript.replace('cat <&5', 'cat <&5 >/root/snapshot'))
    await host.run('rm -r /var/lib/etcd/member')
    await host.folder.put('usr/local/etcdutl', relayProgram('etcdutl'), 0o755)
    const made = await host.run(`
      /usr/local/etcdutl snapshot restore /root/snapshot --data-dir /root/made --name cp-2 \\
        --initial-cluster cp-2=https://192.0.2.2:2380 --initial-advertise-peer-urls https://192.0.2.2:2380
      mv /root/made/member /var/lib/etcd/member`)
    expect(made).toMatchObject({ code: 0, stderr: '' })
    await host.changed()
    expect(rack.hosts.clusters.all[0]?.etcd.members.size).toBe(2)
  })
})
