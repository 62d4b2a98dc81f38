import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { adoptInMode } from '../../src/commands/modes/adopt-in-mode.ts'
import { setSecretInMode } from '../../src/commands/modes/change-secret-in-mode.ts'
import { hostsMode } from '../../src/commands/modes/kubeadm/hosts-mode.ts'
import { recoverInMode } from '../../src/commands/modes/recover-in-mode.ts'
import { textAt } from '../../src/lib/kubernetes-object.ts'
import { makeAuthorities } from '../../src/sandbox/hosts/cluster/host-pki.ts'
import { git } from '../store/state-fixture.ts'
import { type FileParts, type HostsCluster, startHostsCluster } from './hosts-run.ts'
import { listeningProgress } from './listening-progress.ts'
import { makeByHand } from './made-by-hand.ts'

const mark = 'var/lib/hcloud-talos/cluster.json'
const branch = 'refs/heads/hcloud-talos'

interface Asked {
  readonly file?: { readonly path: string; readonly text: string }
  readonly parts?: FileParts
  readonly isConfirmed?: boolean
}

/** What an adoption came to, and all that it showed. */
async function adopt(
  rack: HostsCluster,
  names: readonly string[],
  { parts, file = rack.file(names, parts), isConfirmed = true }: Asked = {},
) {
  const shown: string[] = []
  const confirm = async (lines: readonly string[]) => {
    shown.push(...lines)
    return isConfirmed
  }
  const context = { ...(await rack.run()), progress: listeningProgress(shown) }
  const done = await adoptInMode(hostsMode, context, { file, confirm })
  return { done, shown: shown.join('\n') }
}

const folder = (rack: HostsCluster, name: string) => rack.hosts.host(name).host.folder

/** The cluster's own objects and the files of its hosts, but for our marks and leases that are renewed. */
async function everything(rack: HostsCluster, names: readonly string[]) {
  const [cluster] = rack.hosts.clusters.all
  const store = cluster?.kubernetes.context.store
  const objects = ['configmaps', 'secrets', 'nodes', 'daemonsets', 'clusterrolebindings'].map(
    (resource) =>
      store?.list(resource).map(({ metadata, ...rest }) => {
        const { spec, data } = { spec: undefined, data: undefined, ...rest }
        return { name: metadata.name, labels: metadata.labels, spec, data }
      }),
  )
  const files = await Promise.all(
    names.map((name) =>
      rack.hosts
        .host(name)
        .host.run('find /etc /opt /var/lib/kubelet /root -type f | sort | xargs sha256sum'),
    ),
  )
  const members = cluster?.etcd.voters.map(({ id }) => String(id))
  return { objects, members, files: files.map(({ stdout }) => stdout) }
}

/** What is in the state, all of it as it lies on the branch. */
async function stateText({ remote }: HostsCluster): Promise<string> {
  const paths = (await git(remote, 'ls-tree', '-r', '--name-only', branch)).trim().split('\n')
  const files = await Promise.all(paths.map((path) => git(remote, 'show', `${branch}:${path}`)))
  return files.join('\n')
}

const withNetwork = (text: string) =>
  text.replace(
    'kubernetes:\n',
    'network:\n  podRange: 10.1.0.0/16\n  dnsDomain: other.local\nkubernetes:\n',
  )

describe.skipIf(userInfo().uid !== 0)('a cluster that no state knows', () => {
  test('is adopted as it is, and where it is as the file asks for there is nothing to do', async () => {
    const names = ['cp-1', 'cp-2', 'cp-3', 'worker-1']
    await using rack = await startHostsCluster({ hosts: names })
    await rack.apply(names)
    // Nothing remembers who made it.
    await git(rack.remote, 'update-ref', '-d', branch)
    await Promise.all(names.map((name) => folder(rack, name).remove(mark)))
    expect(await rack.plan(names)).toContainEqual(
      expect.stringMatching(/^error cp-1 shows a cluster .*no second authority is made/),
    )
    const before = await everything(rack, names)

    const refused = await adopt(rack, names, { isConfirmed: false })
    expect(refused.done).toBeUndefined()
    expect(refused.shown).toContain('control planes: cp-1, cp-2, cp-3\nworkers: worker-1\n')
    expect(await git(rack.remote, 'for-each-ref', branch)).toBe('')
    expect(names.filter((name) => folder(rack, name).has(mark))).toEqual([])

    const { done, shown } = await adopt(rack, names)
    expect(done?.plan.changes).toEqual([])
    expect([...(done?.nodes ?? [])].toSorted()).toEqual(names)
    expect(await everything(rack, names)).toEqual(before)
    expect(await rack.plan(names)).toEqual([])
    const [own] = await Promise.all(names.map((name) => folder(rack, name).read(mark)))
    const { uid } = JSON.parse(own ?? '')
    const marks = await Promise.all(names.map((name) => folder(rack, name).read(mark)))
    expect(new Set(marks.map((text) => JSON.parse(text).uid))).toEqual(new Set([uid]))
    expect(shown).toContain(uid)

    // No key of the cluster is anywhere.
    const key = await folder(rack, 'cp-1').read('etc/kubernetes/pki/ca.key')
    const conf = await folder(rack, 'cp-1').read('etc/kubernetes/admin.conf')
    const [, admin = 'no key'] = /client-key-data: "?([^"\s]+)/.exec(conf) ?? []
    const secrets = [...key.split('\n').slice(1, 3), admin.slice(0, 60)]
    const state = await stateText(rack)
    expect(state).toContain(uid)
    expect(secrets.filter((secret) => state.includes(secret) || shown.includes(secret))).toEqual([])

    // It is one of ours from now on.
    await expect(adopt(rack, ['cp-1', 'worker-1'])).rejects.toMatchObject({ code: 'plan-refused' })
    await git(rack.remote, 'update-ref', '-d', branch)
    await expect(adopt(rack, names)).rejects.toMatchObject({
      code: 'plan-refused',
      findings: expect.arrayContaining([
        expect.objectContaining({ hint: expect.stringContaining('hcloud-talos recover') }),
      ]),
    })
    const recovered = await recoverInMode(hostsMode, await rack.run(), { file: rack.file(names) })
    expect(recovered.plan.changes).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })

  test('and that differs is planned with each difference, changed by an apply, grows and is upgraded', async () => {
    const names = ['cp-1', 'worker-1']
    const all = [...names, 'worker-2']
    await using rack = await startHostsCluster({ hosts: all })
    const etcd = {
      local: {
        dataDir: '/var/lib/etcd',
        extraArgs: [{ name: 'quota-backend-bytes', value: '8589934592' }],
      },
    }
    const volumes = [{ name: 'audit', hostPath: '/var/log/audit', mountPath: '/var/log/audit' }]
    await makeByHand(rack, {
      controlPlanes: ['cp-1'],
      workers: ['worker-1'],
      configuration: {
        etcd,
        apiServer: {
          extraArgs: [{ name: 'audit-log-maxage', value: '7' }],
          extraVolumes: volumes,
        },
      },
      kubelet: { maxPods: 200 },
      kubeletArguments: { 'worker-1': { v: '4' } },
    })
    // Set before there is a state, as a login may need it.
    const given = { file: rack.file(names), name: 'sudo', value: 'a-password-of-sudo' }
    await setSecretInMode(hostsMode, await rack.run(), given)
    const before = await everything(rack, names)
    const { done } = await adopt(rack, names)
    expect(await everything(rack, names)).toEqual(before)
    const fields = (key: string) =>
      done?.plan.changes
        .find((change) => change.key === key)
        ?.fields.map(({ path }) => path)
        .toSorted()
    expect(done?.plan.changes.map(({ action, key }) => `${action} ${key}`).toSorted()).toEqual([
      'update host/cp-1',
      'update host/worker-1',
      'update kubernetes/rack',
      'update node/cp-1',
      'update node/worker-1',
    ])
    expect(fields('kubernetes/rack')).toEqual(['apiServer.audit-log-maxage', 'certSans'])
    expect(fields('node/cp-1')).toEqual(['kubelet.--node-ip'])
    expect(fields('node/worker-1')).toEqual(['kubelet.--node-ip', 'kubelet.--v'])

    const settings = ['apiServerExtraArgs: { audit-log-maxage: "7" }']
    await rack.apply(names, { settings })
    expect(await rack.plan(names, { settings })).toEqual([])
    // What no cluster file can say is as it was.
    const [cluster] = rack.hosts.clusters.all
    const kept = (name: string, field: string) =>
      parse(
        textAt(
          cluster?.kubernetes.context.store.get('configmaps', `kube-system/${name}`) ?? {},
          'data',
          field,
        ) ?? '',
      )
    expect(kept('kubeadm-config', 'ClusterConfiguration')).toMatchObject({
      clusterName: 'kubernetes',
      etcd,
      apiServer: {
        extraArgs: [{ name: 'audit-log-maxage', value: '7' }],
        extraVolumes: volumes,
      },
    })
    expect(kept('kubelet-config', 'kubelet')).toMatchObject({ maxPods: 200 })
    const config = await folder(rack, 'worker-1').read('var/lib/kubelet/config.yaml')
    expect(parse(config)).toMatchObject({ maxPods: 200 })

    expect((await rack.apply(all, { settings })).toSorted()).toEqual([
      'create host/worker-2',
      'create node/worker-2',
    ])
    await rack.upgrade(all, { settings, kubernetes: '1.36.3' })
    expect(await rack.plan(all, { settings, kubernetes: '1.36.3' })).toEqual([])
    expect(rack.hosts.world.contractErrors).toEqual([])
  })

  test('is refused where it contradicts the file or is not one cluster, and continues where it was cut off', async () => {
    const names = ['cp-1', 'worker-1', 'worker-2']
    await using rack = await startHostsCluster({ hosts: names })
    await expect(adopt(rack, names)).rejects.toMatchObject({
      code: 'plan-refused',
      findings: [{ message: expect.stringContaining('there is nothing to adopt') }],
    })
    const nodeNames = { 'worker-1': 'box-1' }
    await makeByHand(rack, { controlPlanes: ['cp-1'], workers: ['worker-1'], nodeNames })
    const refusals = async (asked: Asked = {}) => {
      try {
        await adopt(rack, names, asked)
      } catch (error) {
        return JSON.stringify(error)
      }
      return 'adopted'
    }
    const { path, text } = rack.file(names, { kubernetes: '1.36.3' })
    const contradicting = await refusals({ file: { path, text: withNetwork(text) } })
    for (const part of [
      'Keep 10.244.0.0/16',
      'Keep cluster.local',
      'Write 1.35.4, adopt the cluster, then upgrade.',
      'Write name: box-1 for it',
    ]) {
      expect(contradicting).toContain(part)
    }
    await makeAuthorities(folder(rack, 'worker-2'), Date.now())
    expect(await refusals()).toContain('the hosts are of more than one cluster')
    await folder(rack, 'worker-2').remove('etc/kubernetes')
    expect(names.filter((name) => folder(rack, name).has(mark))).toEqual([])
    expect(await git(rack.remote, 'for-each-ref', branch)).toBe('')

    // The state is written, and no host takes a mark: something stands where it belongs.
    const renamed = { path, text: rack.file(names).text.replace('name: worker-1', 'name: box-1') }
    await folder(rack, 'cp-1').put(`${mark}/in-the-way`, '')
    await folder(rack, 'worker-1').put(`${mark}/in-the-way`, '')
    await expect(adopt(rack, names, { file: renamed })).rejects.toMatchObject({
      code: 'script-failed',
    })
    await folder(rack, 'cp-1').remove(mark)
    await folder(rack, 'worker-1').remove(mark)
    const again = await adopt(rack, names, { file: renamed })
    expect(again.shown).toContain('an earlier run started to adopt it')
    expect(again.done?.plan.changes.map(({ action, key }) => `${action} ${key}`)).toEqual(
      expect.arrayContaining(['create host/worker-2', 'create node/worker-2']),
    )
    expect(await folder(rack, 'worker-1').read(mark)).toContain('"cluster":"rack"')
    expect(folder(rack, 'worker-2').has(mark)).toBe(false)
    expect(rack.hosts.world.contractErrors).toEqual([])
  })
})
