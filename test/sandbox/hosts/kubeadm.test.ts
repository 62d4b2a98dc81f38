import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { memberScript } from '../../../src/kubeadm/cluster/member-script.ts'
import { readMembers } from '../../../src/kubeadm/cluster/read-members.ts'
import { tokenSecret } from '../../../src/kubeadm/config/bootstrap-token.ts'
import { lookScript } from '../../../src/kubeadm/host/look-script.ts'
import { deleteNode, getNode, listNodes } from '../../../src/kubernetes/nodes.ts'
import { textAt } from '../../../src/lib/kubernetes-object.ts'
import { startRack } from './start-rack.ts'

const ended = (stderr: string) => ({ code: 1, stderr: expect.stringContaining(stderr) })
const clusterInfo = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'kube-public',
  name: 'cluster-info',
}

describe.skipIf(userInfo().uid !== 0)('kubeadm on simulated hosts', () => {
  test('makes a cluster of the files of the product, whose nodes are listed through SSH', async () => {
    await using rack = await startRack(['cp-1', 'cp-2', 'cp-3', 'worker-1'])
    expect(await rack.init()).toMatchObject({ code: 0 })
    for (const name of ['cp-2', 'worker-1', 'cp-3']) {
      expect([name, await rack.join(name)]).toMatchObject([name, { code: 0, stderr: '' }])
    }
    const nodes = await listNodes(await rack.client('cp-2'))
    const seen = nodes.map(({ name, controlPlane, ready, kubeletVersion, machineId, taints }) => ({
      name,
      controlPlane,
      ready,
      kubeletVersion,
      isItself: machineId === rack.host(name).machineId,
      taints: taints.map(({ key }) => key),
    }))
    const common = { ready: true, kubeletVersion: 'v1.35.4', isItself: true }
    const taints = ['node-role.kubernetes.io/control-plane']
    expect(seen.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'cp-1', controlPlane: true, ...common, taints },
      { name: 'cp-2', controlPlane: true, ...common, taints },
      { name: 'cp-3', controlPlane: true, ...common, taints },
      { name: 'worker-1', controlPlane: false, ...common, taints: [] },
    ])
    const [cluster] = rack.hosts.clusters.all
    expect(cluster?.etcd.voters.map(({ hostname }) => hostname)).toEqual(['cp-1', 'cp-2', 'cp-3'])
    const health = await rack.host('cp-3').run(memberScript, ['health'])
    expect(JSON.parse(health.stdout)).toMatchObject(Array(3).fill({ health: true }))
    const look = await rack.host('cp-1').run(lookScript, ['10.0.0.10'])
    expect(look.stdout).toContain('fact\tstatic-pod kube-apiserver\tv1.35.4\n')
    expect(look.stdout).toContain('fact\tversion-kubelet\tKubernetes v1.35.4\n')
    expect(look.stdout).toContain('fact\tvip-interface\teth0\n')
    expect(rack.hosts.world.contractErrors).toEqual([])
  })

  test('lets nobody join with another token, another authority or another key', async () => {
    await using rack = await startRack(['cp-1', 'cp-2', 'cp-3', 'worker-1'])
    await rack.init()
    const token = { ...rack.material.token, id: 'zzzzzz' }
    expect(await rack.join('worker-1', { token })).toMatchObject(
      ended('could not find a JWS signature in the cluster-info ConfigMap for token ID "zzzzzz"'),
    )
    const other = { ...rack.material.token, secret: 'a'.repeat(16) }
    expect(await rack.join('worker-1', { token: other })).toMatchObject(ended('Unauthorized'))
    expect(await rack.join('cp-2', { certificateKey: '00'.repeat(32) })).toMatchObject(
      ended('cipher: message authentication failed'),
    )
    const client = await rack.client()
    const life = { expires: Date.now() + 3_600_000, description: 'joins of a run' }
    await client.applyServerSide(
      {
        ...tokenSecret(token, life),
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'bootstrap-token-zzzzzz', namespace: 'kube-system' },
      },
      { fieldManager: 'test' },
    )
    const signature = textAt(await client.get(clusterInfo), 'data', 'jws-kubeconfig-zzzzzz')
    expect(signature).toMatch(/^[\w-]+\.\.[\w-]+$/)
    expect(await rack.join('worker-1', { token })).toMatchObject({ code: 0 })
  })

  test('refuses to begin where anything of a cluster is, and begins again after a reset', async () => {
    await using rack = await startRack(['cp-1'])
    const { clusters } = rack.hosts
    clusters.deaths.set('cp-1', 'kubelet-start')
    expect(await rack.init()).toMatchObject({ code: 137 })
    expect(await rack.init()).toMatchObject(
      ended('/etc/kubernetes/manifests/kube-apiserver.yaml already exists'),
    )
    expect(await rack.host('cp-1').run('kubeadm reset')).toMatchObject(ended('aborted reset'))
    expect(await rack.host('cp-1').run('kubeadm reset --force')).toMatchObject({ code: 0 })
    expect(rack.hosts.clusters.all).toEqual([])
    expect(await rack.init()).toMatchObject({ code: 0 })
  })

  test('a join that dies leaves a member that keeps etcd from taking another one', async () => {
    await using rack = await startRack(['cp-1', 'cp-2', 'cp-3'])
    await rack.init()
    rack.hosts.clusters.deaths.set('cp-2', 'etcd-learner')
    expect(await rack.join('cp-2')).toMatchObject({ code: 137 })
    const list = await rack.host('cp-1').run(memberScript, ['list'])
    const members = readMembers(list.stdout, undefined)
    expect(members).toMatchObject([
      { name: 'cp-1', isLearner: false },
      { name: '', isLearner: true },
    ])
    // As etcdctl 3.6 prints them: in hex no member learns.
    const hex = await rack
      .host('cp-1')
      .run('crictl exec "$(crictl ps --name etcd -q)" etcdctl member list -w json --hex')
    expect(JSON.parse(hex.stdout).members[1]).toEqual({
      ID: members[1]?.id,
      name: '',
      peerURLs: members[1]?.peerUrls,
      clientURLs: null,
    })
    expect(await rack.join('cp-3')).toMatchObject(ended('too many learner members in cluster'))
    for (const name of ['cp-2', 'cp-3']) await rack.host(name).run('kubeadm reset --force')
    await rack.host('cp-1').run(memberScript, ['remove', members[1]?.id ?? ''])
    // kubeadm takes the place of no node that is Ready, and its kubelet may not be missed yet.
    await deleteNode(await rack.client(), 'cp-2')
    expect(await rack.join('cp-2')).toMatchObject({ code: 0 })
  })

  test('a reset takes its member out of etcd and leaves its node, and succeeds where nobody answers', async () => {
    await using rack = await startRack(['cp-1', 'cp-2', 'cp-3'])
    await rack.init()
    await rack.join('cp-2')
    await rack.join('cp-3')
    const client = await rack.client()
    await client.patch(
      { apiVersion: 'v1', kind: 'Node', name: 'cp-3' },
      { spec: { unschedulable: true } },
    )
    await rack.host('cp-3').run('kubeadm reset --force')
    const [cluster] = rack.hosts.clusters.all
    expect(cluster?.etcd.voters.map(({ hostname }) => hostname)).toEqual(['cp-1', 'cp-2'])
    expect(await getNode(client, 'cp-3')).toMatchObject({ name: 'cp-3' })
    await rack.host('cp-1').powerOff()
    expect(cluster?.isAvailable).toBe(false)
    const reset = await rack.host('cp-2').run('kubeadm reset --force')
    expect(reset).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('failed to remove etcd member'),
    })
    expect(cluster?.etcd.voters.length).toBe(2)
  })

  test('an API server comes back with its host, and a node without its kubelet is silent', async () => {
    await using rack = await startRack(['cp-1', 'worker-1'])
    await rack.init()
    await rack.join('worker-1')
    const client = await rack.client()
    await rack.host('worker-1').run('systemctl stop kubelet')
    await expect
      .poll(async () => (await getNode(client, 'worker-1'))?.ready, { timeout: 60_000 })
      .toBe(false)
    await rack.host('cp-1').powerOff()
    expect(rack.hosts.clusters.all[0]?.isAvailable).toBe(false)
    await rack.host('cp-1').powerOn()
    expect((await listNodes(await rack.client())).length).toBe(2)
  })
})
