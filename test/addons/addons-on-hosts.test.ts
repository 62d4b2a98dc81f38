import { describe, expect, test } from 'vitest'
import { type AddonRelease, releaseOf } from '../../src/addons/addon-release.ts'
import { applyAddons } from '../../src/addons/apply.ts'
import { desireAddons } from '../../src/addons/desire.ts'
import { clusterConfiguration } from '../../src/kubeadm/config/cluster-configuration.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { fieldAt, listAt, textsAt } from '../../src/lib/kubernetes-object.ts'
import type { ObjectSet } from '../../src/lib/object-set.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { addonsOfHosts } from '../../src/planner/kubeadm/addons-of-hosts.ts'
import type { HostsSpec } from '../../src/spec/hosts/hosts-spec.ts'
import type { AddonName } from '../../src/spec/tables/addon-names.ts'
import { rackSpec } from '../kubeadm/config/rack.ts'
import { silentProgress } from '../silent-progress.ts'
import { hostsFile, hostsFileAnd, hostsFileWith } from '../spec/hosts/hosts-file.ts'
import { startAddonFixture } from './addon-fixture.ts'
import { namingRenderer, RecordingCluster } from './recording-cluster.ts'
import { sampleFacts } from './sample-spec.ts'

function releaseNamed(name: AddonName, spec: HostsSpec): AddonRelease {
  const addon = addonsOfHosts(spec)[name]
  if (!addon) throw new Error('the catalogue has it')
  return releaseOf(addon, spec, sampleFacts)
}

function valuesOf(name: AddonName, spec = rackSpec()): JsonObject {
  return releaseNamed(name, spec).values
}

const worker = `  - name: worker-1
    address: 192.0.2.21
    role: worker
`
const another = `  - name: worker-2
    address: 192.0.2.22
    role: worker
    hostKey: ssh-ed25519 SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA5
`

describe('Cilium on hosts that exist', () => {
  test('reaches the Kubernetes API at their endpoint, and stands in the place of kube-proxy', () => {
    const spec = rackSpec()
    expect(valuesOf('cilium', spec)).toMatchObject({
      k8sServiceHost: '192.0.2.10',
      k8sServicePort: 6443,
      kubeProxyReplacement: true,
    })
    expect(clusterConfiguration(spec)['proxy']).toEqual({ disabled: true })
    const endpoint = 'virtualIp:\n      address: 192.0.2.10'
    const named = rackSpec(hostsFileWith(endpoint, 'host: api.example.com:7443'))
    expect(valuesOf('cilium', named)).toMatchObject({
      k8sServiceHost: 'api.example.com',
      k8sServicePort: 7443,
    })
  })

  test('has a tunnel as the chart has it, and leaves to the chart what only Hetzner and Talos need', () => {
    expect(Object.keys(valuesOf('cilium')).sort()).toEqual([
      'bpf',
      'certgen',
      'dnsProxy',
      'hubble',
      'ipam',
      'k8s',
      'k8sServiceHost',
      'k8sServicePort',
      'kubeProxyReplacement',
      'kubeProxyReplacementHealthzBindAddr',
      'operator',
    ])
  })

  test('has the cluster domain of the file', () => {
    const spec = rackSpec(hostsFileAnd('network: {dnsDomain: rack.example.com}'))
    expect(valuesOf('cilium', spec)).toMatchObject({
      hubble: { peerService: { clusterDomain: 'rack.example.com' } },
    })
  })

  test('is not installed where the file brings another network', () => {
    const spec = rackSpec(hostsFileAnd('cni: {type: none}'))
    expect(desireAddons(spec, sampleFacts, addonsOfHosts).map(({ name }) => name)).toEqual([
      'csr-approver',
    ])
  })
})

test('serving certificates are approved for the hosts of the file at their addresses, and for nobody else', () => {
  const values = valuesOf('csr-approver')
  const names = new RegExp(String(values['providerRegex']))
  expect(['cp-1', 'cp-3', 'worker-1'].every((name) => names.test(name))).toBe(true)
  expect(
    ['cp-4', 'worker-10', 'my-cp-1', 'cp-1.example.com'].some((name) => names.test(name)),
  ).toBe(false)
  expect(values['providerIpPrefixes']).toEqual([
    '192.0.2.11/32',
    '192.0.2.12/32',
    '192.0.2.13/32',
    '192.0.2.21/32',
  ])
})

test('addons run twice where there are control planes for that', () => {
  const control = / {2}- name: cp-[23]\n(?: {4}.*\n)+/g
  const single = rackSpec(hostsFile.replaceAll(control, ''))
  expect([valuesOf('csr-approver'), valuesOf('csr-approver', single)]).toMatchObject([
    { replicas: 2 },
    { replicas: 1 },
  ])
  expect(valuesOf('cilium', single)).toMatchObject({ operator: { replicas: 1 } })
})

test('what runs on tainted hosts tolerates what the file gives them and what kubeadm gives control planes', () => {
  const taints = '    taints: [{key: example.com/rack, value: a, effect: NoExecute}]\n'
  const host = 'address: 192.0.2.11\n'
  const control = rackSpec(hostsFileWith(host, `${host}${taints}`))
  const rack = { key: 'example.com/rack', operator: 'Exists', effect: 'NoExecute' }
  const own = {
    key: 'node-role.kubernetes.io/control-plane',
    operator: 'Exists',
    effect: 'NoSchedule',
  }
  expect(valuesOf('csr-approver', control)).toMatchObject({ tolerations: [own, rack] })
  const behind = rackSpec(hostsFileWith(worker, `${worker}${taints}`))
  expect(valuesOf('csr-approver', behind)).toMatchObject({ tolerations: [own] })
  for (const spec of [control, behind])
    expect(valuesOf('cilium', spec)).toMatchObject({ certgen: { tolerations: [own, rack] } })
})

test('a host that comes or goes changes the approver alone', () => {
  const spec = rackSpec()
  const more = rackSpec(hostsFileWith('ssh:\n  user: admin\n', `${another}ssh:\n  user: admin\n`))
  const none = rackSpec(hostsFile.replace(/ {2}- name: worker-1\n(?: {4}.*\n)+/, ''))
  const [digests, ofMore, ofNone] = [spec, more, none].map(
    (one) =>
      new Map(
        desireAddons(one, sampleFacts, addonsOfHosts).map((record) => [
          record.name,
          record.spec['digest'],
        ]),
      ),
  )
  for (const others of [ofMore, ofNone]) {
    expect(others?.get('cilium')).toBe(digests?.get('cilium'))
    expect(others?.get('csr-approver')).not.toBe(digests?.get('csr-approver'))
  }
})

test('they are installed without a token of Hetzner', async () => {
  const spec = rackSpec()
  const cluster = new RecordingCluster()
  await applyAddons({
    spec,
    addonsOf: addonsOfHosts,
    uid: sampleFacts.uid,
    credentials: undefined,
    nodes: spec.hosts.map(({ name }) => name),
    cluster,
    renderer: namingRenderer,
    recorded: {},
    progress: silentProgress,
    redactor: new Redactor(),
  })
  expect(cluster.steps).toEqual([
    'apply cilium',
    'apply csr-approver',
    'gate',
    'wait for cilium',
    'wait for csr-approver',
  ])
})

test('their charts know every value, and make of them what hosts need', async () => {
  const spec = rackSpec()
  const { options } = await startAddonFixture('1.35.4')
  const render = async (name: AddonName): Promise<ObjectSet> =>
    options.renderer.render(releaseNamed(name, spec), {
      version: 'v1.35.4',
      apiVersions: ['apps/v1', 'apps/v1/Deployment'],
    })
  const [cilium, approver] = await Promise.all([render('cilium'), render('csr-approver')])
  const find = (set: ObjectSet, kind: string, name: string) =>
    set.objects.find((object) => object.kind === kind && object.metadata.name === name)

  const config = textsAt(find(cilium, 'ConfigMap', 'cilium-config'), 'data')
  expect(config).toMatchObject({ 'routing-mode': 'tunnel', 'kube-proxy-replacement': 'true' })
  expect(config).not.toHaveProperty('mtu')
  expect(config).not.toHaveProperty('ipv4-native-routing-cidr')
  const container = ['spec', 'template', 'spec', 'containers', 0] as const
  const agent = fieldAt(find(cilium, 'DaemonSet', 'cilium'), ...container)
  expect(listAt(agent, 'env')).toContainEqual({
    name: 'KUBERNETES_SERVICE_HOST',
    value: '192.0.2.10',
  })
  const approving = fieldAt(find(approver, 'Deployment', 'kubelet-csr-approver'), ...container)
  expect(listAt(approving, 'env')).toContainEqual({
    name: 'PROVIDER_REGEX',
    value: '^(cp-1|cp-2|cp-3|worker-1)$',
  })
})
