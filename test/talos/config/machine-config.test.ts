import { beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { isJsonObject, type Json } from '../../../src/lib/json.ts'
import type { ClusterSpec } from '../../../src/spec/cluster-spec.ts'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import {
  generateMachineConfig,
  machineConfigDocuments,
} from '../../../src/talos/config/machine-config.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import { clusterSpec, pool } from '../../plan/specs.ts'
import { clusterNode } from '../nodes.ts'
import { testPki } from '../pki-environment.ts'

let secrets: SecretsBundle
beforeAll(async () => {
  secrets = await generateSecretsBundle(testPki)
})

const controlPlane = clusterNode()
const worker = clusterNode({ role: 'worker' })
const versions = ['v1.9.0', 'v1.10.9', 'v1.11.6', 'v1.12.4', 'v1.13.9', 'v1.14.0']

function talos(changes: Partial<ClusterSpec['talos']>): Pick<ClusterSpec, 'talos'> {
  return { talos: { ...clusterSpec().talos, ...changes } }
}

function kubernetes(changes: Partial<ClusterSpec['kubernetes']>): Pick<ClusterSpec, 'kubernetes'> {
  return { kubernetes: { ...clusterSpec().kubernetes, ...changes } }
}

/** The value at a path of the v1alpha1 document, or of the document of a kind (and name). */
function at(
  input: Omit<Parameters<typeof machineConfigDocuments>[0], 'secrets'>,
  path: string,
  document = '',
): Json | undefined {
  const documents = machineConfigDocuments({ ...input, secrets })
  let value: Json | undefined = documents.find(
    ({ kind, name }) => [kind, name].filter(Boolean).join(' ') === document,
  )
  for (const part of path === '' ? [] : path.split('.')) {
    value = isJsonObject(value) ? value[part] : undefined
  }
  return value
}

describe.for(versions)('for Talos %s', (version) => {
  const spec = clusterSpec(talos({ version }))

  test('the same input gives the same text, which YAML reads as it was meant', () => {
    const input = { spec, node: controlPlane, secrets }
    const text = generateMachineConfig(input)
    expect(generateMachineConfig(input)).toBe(text)
    const documents = parseAllDocuments(text).map((document) => document.toJS())
    expect(documents).toEqual(machineConfigDocuments(input))
  })

  test('a worker gets no key and no secret of the control plane', () => {
    const text = generateMachineConfig({ spec, node: worker, secrets })
    const { etcd, k8s, k8sAggregator, k8sServiceAccount, os } = secrets.certs
    for (const secret of [etcd, k8s, k8sAggregator, k8sServiceAccount, os]) {
      expect(text).not.toContain(Buffer.from(secret.key).toString('base64'))
    }
    expect(text).not.toContain(secrets.secrets.secretboxEncryptionSecret)
    expect(text).not.toContain(Buffer.from(etcd.crt).toString('base64'))
    expect(text).toContain(Buffer.from(os.crt).toString('base64'))
    expect(text).toContain(secrets.secrets.bootstrapToken)
  })

  test('each node is named, and one document at most says how', () => {
    const legacy = at({ spec, node: worker }, 'machine.network.hostname')
    const document = at({ spec, node: worker }, 'hostname', 'HostnameConfig')
    expect([legacy, document].filter((name) => name !== undefined)).toEqual(['demo-workers-1'])
  })
})

test('the endpoint inside is the load balancer, and people may also use other names', () => {
  const spec = clusterSpec(kubernetes({ certSans: ['api.example.com', '127.0.0.1'] }))
  const input = {
    spec,
    node: controlPlane,
    addresses: { loadBalancerPublicIp: '203.0.113.9' },
  }
  expect(at(input, 'cluster.controlPlane.endpoint')).toBe('https://10.0.32.254:6443')
  const sans = ['10.0.32.254', '203.0.113.9', '127.0.0.1', 'api.example.com']
  expect(at(input, 'cluster.apiServer.certSANs')).toEqual(sans)
  expect(at(input, 'machine.certSANs')).toEqual(sans)
})

test('a DNS name as the endpoint leaves the load balancer reachable', () => {
  const spec = clusterSpec({ endpoint: { type: 'dns', name: 'k8s.example.com' } })
  expect(at({ spec, node: worker }, 'cluster.controlPlane.endpoint')).toBe(
    'https://k8s.example.com:6443',
  )
  expect(at({ spec, node: controlPlane }, 'cluster.apiServer.certSANs')).toEqual([
    'k8s.example.com',
    '10.0.32.254',
    '127.0.0.1',
  ])
})

test('a floating IP as the endpoint must be known', () => {
  const spec = clusterSpec({ endpoint: { type: 'floatingIp' } })
  const addresses = { floatingIp: '2001:db8::1' }
  expect(at({ spec, node: worker, addresses }, 'cluster.controlPlane.endpoint')).toBe(
    'https://[2001:db8::1]:6443',
  )
  expect(() => machineConfigDocuments({ spec, node: worker, secrets })).toThrow('floating IP')
})

test('a private VIP is moved by the control planes, which need a token for it', () => {
  const endpoint = { type: 'vip', address: '10.0.64.100' } as const
  for (const version of ['v1.11.0', 'v1.13.0']) {
    const spec = clusterSpec({ endpoint, ...talos({ version }) })
    const input = { spec, node: controlPlane, secrets }
    expect(() => generateMachineConfig(input)).toThrow('needs a token')
    expect(generateMachineConfig({ ...input, vipToken: 'vip-token' })).toContain('vip-token')
    expect(generateMachineConfig({ spec, node: worker, secrets })).not.toContain('vip-token')
  }
})

test('nodes register, and etcd speaks, with addresses of the node range', () => {
  const spec = clusterSpec()
  const subnets = [spec.network.nodeRange]
  expect(at({ spec, node: worker }, 'machine.kubelet.nodeIP.validSubnets')).toEqual(subnets)
  expect(at({ spec, node: controlPlane }, 'cluster.etcd.advertisedSubnets')).toEqual(subnets)
})

test('the private link is the second one, unless there is no public one', () => {
  const spec = clusterSpec(talos({ version: 'v1.13.0' }))
  const privateOnly = { ...worker, publicIpv4: false, publicIpv6: false }
  expect(at({ spec, node: worker }, 'mtu', 'LinkConfig eth1')).toBe(1450)
  expect(at({ spec, node: worker }, '', 'DHCPv4Config eth1')).toBeDefined()
  expect(at({ spec, node: privateOnly }, 'mtu', 'LinkConfig eth0')).toBe(1450)
  expect(at({ spec, node: privateOnly }, 'routes', 'LinkConfig eth0')).toBeUndefined()
  expect(at({ spec, node: privateOnly }, '', 'LinkConfig eth1')).toBeUndefined()
})

test('metadata is reached over the public link alone', () => {
  const metadata = { gateway: '172.31.1.1', metric: 512 }
  const modern = clusterSpec(talos({ version: 'v1.12.0' }))
  expect(at({ spec: modern, node: worker }, 'routes', 'LinkConfig eth0')).toEqual([
    { destination: '169.254.169.254/32', ...metadata },
  ])
  const legacy = clusterSpec(talos({ version: 'v1.9.0' }))
  expect(at({ spec: legacy, node: worker }, 'machine.network.interfaces')).toEqual([
    { interface: 'eth0', dhcp: true, routes: [{ network: '169.254.169.254/32', ...metadata }] },
    { interface: 'eth1', dhcp: true, mtu: 1450 },
  ])
})

test('Cilium takes the place of kube-proxy; without a CNI of ours it stays', () => {
  const cilium = { spec: clusterSpec(), node: controlPlane }
  const none = { ...cilium, spec: clusterSpec({ cni: { type: 'none', values: {} } }) }
  expect(at(cilium, 'cluster.network.cni.name')).toBe('none')
  expect(at(cilium, 'cluster.proxy.disabled')).toBe(true)
  expect(at(cilium, 'machine.features.hostDNS.forwardKubeDNSToHost')).toBe(false)
  expect(at(none, 'cluster.network.cni.name')).toBe('none')
  expect(at(none, 'cluster.proxy.disabled')).toBeUndefined()
  expect(at(none, 'machine.features.hostDNS.forwardKubeDNSToHost')).toBe(true)
})

test('nodes wait for the cloud controller only where there is one', () => {
  const spec = clusterSpec()
  const without = clusterSpec({
    addons: { ...spec.addons, hcloudCcm: { enabled: false, values: {} } },
  })
  expect(at({ spec, node: worker }, 'cluster.externalCloudProvider.enabled')).toBe(true)
  expect(at({ spec: without, node: worker }, 'cluster.externalCloudProvider')).toBeUndefined()
})

test('control planes take workloads, and traffic, only when there are no workers', () => {
  const label = 'node.kubernetes.io/exclude-from-external-load-balancers'
  const alone = clusterSpec({ workers: [] })
  const growing = clusterSpec({
    workers: [pool({ name: 'burst', count: 0, autoscaling: { min: 0, max: 3 } })],
  })
  const schedules = 'cluster.allowSchedulingOnControlPlanes'
  expect(at({ spec: alone, node: controlPlane }, schedules)).toBe(true)
  expect(at({ spec: alone, node: controlPlane }, 'machine.nodeLabels')).toBeUndefined()
  for (const spec of [clusterSpec(), growing]) {
    expect(at({ spec, node: controlPlane }, schedules)).toBeUndefined()
    expect(at({ spec, node: controlPlane }, 'machine.nodeLabels')).toEqual({ [label]: '' })
  }
})

test('taints of a worker are those it registers with; a control plane may set its own', () => {
  const taints = [
    { key: 'gpu', value: 'true', effect: 'NoSchedule' },
    { key: 'spot', effect: 'NoExecute' },
  ] as const
  const spec = clusterSpec()
  const tainted = { ...worker, taints }
  expect(at({ spec, node: tainted }, 'machine.kubelet.extraConfig.registerWithTaints')).toEqual([
    { key: 'gpu', value: 'true', effect: 'NoSchedule' },
    { key: 'spot', effect: 'NoExecute' },
  ])
  expect(at({ spec, node: tainted }, 'machine.nodeTaints')).toBeUndefined()
  const own = { ...controlPlane, taints }
  expect(at({ spec, node: own }, 'machine.nodeTaints')).toEqual({
    gpu: 'true:NoSchedule',
    spot: 'NoExecute',
  })
})

test('what the spec says of the node and of Kubernetes is in its config', () => {
  const spec = clusterSpec({
    ...kubernetes({
      version: '1.34.1',
      apiServerExtraArgs: { 'oidc-client-id': 'mine', v: '2' },
      controllerManagerExtraArgs: { v: '3' },
      schedulerExtraArgs: { v: '4' },
      kubeletExtraArgs: { 'max-pods': '200' },
      oidc: {
        issuerUrl: 'https://issuer.example',
        clientId: 'kubernetes',
        usernameClaim: 'email',
        groupsClaim: 'groups',
      },
    }),
  })
  const node = { ...controlPlane, labels: { disk: 'ssd' }, annotations: { owner: 'me' } }
  const input = { spec, node }
  expect(at(input, 'machine.nodeLabels.disk')).toBe('ssd')
  expect(at(input, 'machine.nodeAnnotations')).toEqual({ owner: 'me' })
  expect(at(input, 'machine.kubelet.image')).toBe('ghcr.io/siderolabs/kubelet:v1.34.1')
  expect(at(input, 'machine.kubelet.extraArgs')).toEqual({
    'rotate-server-certificates': 'true',
    'max-pods': '200',
  })
  expect(at(input, 'cluster.apiServer.image')).toBe('registry.k8s.io/kube-apiserver:v1.34.1')
  expect(at(input, 'cluster.apiServer.extraArgs')).toEqual({
    'oidc-issuer-url': 'https://issuer.example',
    'oidc-client-id': 'mine',
    'oidc-username-claim': 'email',
    'oidc-groups-claim': 'groups',
    v: '2',
  })
  expect(at(input, 'cluster.controllerManager.extraArgs')).toEqual({ v: '3' })
  expect(at(input, 'cluster.scheduler.extraArgs')).toEqual({ v: '4' })
})

test('name and time servers, mirrors and encryption stand where the version looks for them', () => {
  const changes = {
    nameservers: ['185.12.64.1'],
    timeServers: ['ntp1.hetzner.de'],
    registryMirrors: { 'docker.io': ['https://mirror.example'] },
    diskEncryption: true,
  }
  const old = { spec: clusterSpec(talos({ ...changes, version: 'v1.10.0' })), node: worker }
  expect(at(old, 'machine.network.nameservers')).toEqual(['185.12.64.1'])
  expect(at(old, 'machine.time.servers')).toEqual(['ntp1.hetzner.de'])
  expect(at(old, 'machine.registries.mirrors')).toEqual({
    'docker.io': { endpoints: ['https://mirror.example'] },
  })
  expect(at(old, 'machine.systemDiskEncryption.state.keys')).toEqual([{ slot: 0, nodeID: {} }])

  const between = { ...old, spec: clusterSpec(talos({ ...changes, version: 'v1.11.0' })) }
  expect(at(between, 'machine.systemDiskEncryption')).toBeUndefined()
  expect(at(between, 'encryption.provider', 'VolumeConfig STATE')).toBe('luks2')

  const modern = { ...old, spec: clusterSpec(talos({ ...changes, version: 'v1.12.0' })) }
  expect(at(modern, 'nameservers', 'ResolverConfig')).toEqual([{ address: '185.12.64.1' }])
  expect(at(modern, 'ntp.servers', 'TimeSyncConfig')).toEqual(['ntp1.hetzner.de'])
  expect(at(modern, 'endpoints', 'RegistryMirrorConfig docker.io')).toEqual([
    { url: 'https://mirror.example' },
  ])
  expect(at(modern, 'encryption.provider', 'VolumeConfig EPHEMERAL')).toBe('luks2')
})

test('patches are merged from the most general to the most special', () => {
  const sysctl = (value: string) => `machine: {sysctls: {from: "${value}", ${value}: "1"}}`
  const spec = clusterSpec(
    talos({
      patches: [sysctl('all')],
      controlPlanePatches: [sysctl('control-plane')],
      workerPatches: [sysctl('worker')],
    }),
  )
  const patched = { ...worker, patches: [sysctl('pool')] }
  expect(at({ spec, node: patched }, 'machine.sysctls')).toEqual({
    all: '1',
    worker: '1',
    pool: '1',
    from: 'pool',
  })
  expect(at({ spec, node: controlPlane }, 'machine.sysctls')).toEqual({
    all: '1',
    'control-plane': '1',
    from: 'control-plane',
  })
})

test('a patch that does not fit is told with its place in the file', () => {
  const spec = clusterSpec(talos({ workerPatches: ['machine: {}', 'machine: []'] }))
  expect(() => machineConfigDocuments({ spec, node: worker, secrets })).toThrow(
    'talos.workerPatches[1]: machine is a mapping, and the patch has a list',
  )
})

test('the text of a reference stands for itself, also where there is no reference', () => {
  const patches = [`machine: {sysctls: {kernel.domainname: "$\${secret:nobody}"}}`]
  const text = generateMachineConfig({
    spec: clusterSpec(talos({ patches })),
    node: worker,
    secrets,
  })
  expect(text).toMatch(/domainname: "?\$\{secret:nobody\}/)
})
