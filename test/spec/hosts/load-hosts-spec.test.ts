import { describe, expect, it } from 'vitest'
import type { CommonSpec } from '../../../src/spec/common-spec.ts'
import { loadHostsSpec } from '../../../src/spec/hosts/load-hosts-spec.ts'
import { referredNames } from '../../../src/spec/secret-references.ts'
import { findingsOfHosts, hostsFile, hostsFileAnd, hostsFileWith } from './hosts-file.ts'

function specOf(text: string) {
  const { spec, findings } = loadHostsSpec(text)
  if (spec === undefined) throw new Error(JSON.stringify(findings))
  return spec
}

function hostOf(text: string, name: string) {
  return specOf(text).hosts.find((host) => host.name === name)
}

describe('A file of hosts', () => {
  it('means what it leaves out', () => {
    expect(findingsOfHosts(hostsFile)).toEqual([])
    const spec = specOf(hostsFile)
    expect(spec.network).toEqual({
      podRange: '10.244.0.0/16',
      serviceRange: '10.96.0.0/12',
      dnsDomain: 'cluster.local',
    })
    expect(spec.kubeadm).toMatchObject({
      endpoint: { type: 'virtualIp', address: '192.0.2.10', kubeVip: 'v1.2.3' },
      podsOnControlPlanes: false,
      runtime: { version: '2.3.7', source: { type: 'repository' } },
      packages: { type: 'repository' },
      onRemove: 'keep',
    })
    expect(spec.addons).toMatchObject({
      csrApprover: { enabled: true },
      hcloudCcm: { enabled: false },
      hcloudCsi: { enabled: false },
    })
    expect(hostOf(hostsFile, 'worker-1')).toEqual({
      name: 'worker-1',
      role: 'worker',
      address: '192.0.2.21',
      nodeIp: '192.0.2.21',
      login: {
        user: 'admin',
        port: 22,
        key: { from: 'agent' },
        hostKey: {
          type: 'pinned',
          key: 'ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4',
        },
        sudo: { type: 'passwordless' },
      },
      labels: {},
      taints: [],
      onRemove: 'keep',
    })
  })

  it('is a spec as common commands take it', () => {
    const common: CommonSpec = specOf(hostsFile)
    expect(common.hosts?.map(({ name }) => name)).toEqual(['cp-1', 'cp-2', 'cp-3', 'worker-1'])
  })

  it('may say of one host what it says of all, in another way', () => {
    const text = hostsFileWith(
      'user: admin\n',
      `user: admin
  port: 2222
  key: {file: ~/.ssh/rack, passphrase: {secret: rack-passphrase}}
  sudo: {password: {secret: sudo-password}}
  jump: {address: jump.example.com, hostKey: record}
`,
    ).replace(
      'role: worker',
      'role: worker\n    ssh: {user: root, port: 22, key: {environment: KEY}, sudo: none, jump: none}\n    onRemove: purge',
    )
    expect(hostOf(text, 'cp-1')?.login).toMatchObject({
      user: 'admin',
      port: 2222,
      key: { from: 'file', path: '~/.ssh/rack' },
      sudo: { type: 'password', password: { from: 'secret', name: 'sudo-password' } },
      jump: { address: 'jump.example.com', port: 22, user: 'admin', hostKey: { type: 'record' } },
    })
    const worker = hostOf(text, 'worker-1')
    expect(worker?.login).toMatchObject({
      user: 'root',
      port: 22,
      key: { from: 'environment', variable: 'KEY' },
      sudo: { type: 'none' },
    })
    expect(worker?.login.jump).toBeUndefined()
    expect(worker?.onRemove).toBe('purge')
    expect(referredNames(specOf(text))).toEqual(['rack-passphrase', 'sudo-password'])
  })

  it('gives GPU workers what the device plugin selects and tolerates, once', () => {
    const text = hostsFileWith('role: worker', 'role: gpu-worker')
    expect(hostOf(text, 'worker-1')).toMatchObject({
      labels: { 'nvidia.com/gpu.present': 'true' },
      taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }],
    })
    const own = '{key: nvidia.com/gpu, value: a100, effect: NoExecute}'
    const again = hostsFileWith('role: worker', `role: gpu-worker\n    taints: [${own}]`)
    expect(hostOf(again, 'worker-1')?.taints).toHaveLength(1)
  })

  it('lets pods run on control planes where nothing else would run them', () => {
    const single = `clusterName: one
hosts:
  - {name: one, address: 192.0.2.11, role: control-plane}
ssh: {hostKey: record}
kubeadm: {endpoint: {host: 192.0.2.11}}
kubernetes: {version: 1.36.3}
${hostsFile.slice(hostsFile.indexOf('state:'))}`
    expect(findingsOfHosts(single)).toEqual([])
    expect(specOf(single).kubeadm).toMatchObject({
      podsOnControlPlanes: true,
      endpoint: { type: 'host', host: '192.0.2.11', port: 6443 },
    })
  })

  it('may leave containerd to the distribution where that is new enough', () => {
    const text = hostsFileWith(
      'kubeadm:\n',
      'kubeadm:\n  runtime: {source: {type: distribution}}\n',
    )
    expect(findingsOfHosts(text)).toEqual([])
    expect(specOf(text).kubeadm.runtime).toEqual({ source: { type: 'distribution' } })
  })

  it('warns of a Kubernetes that nobody knew, where it may', () => {
    const text = hostsFileAnd('policy: {unknownVersions: warn}').replace('1.35.4', '1.38.0')
    expect(findingsOfHosts(text)).toEqual([
      '26:12 warning: kubernetes.version is 1.38.0, which this version of hcloud-talos does not know: it is treated like 1.37 -> Try it on a cluster for tests first: what changed since is not checked.',
    ])
  })
})
