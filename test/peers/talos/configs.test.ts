import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClusterNode } from '../../../src/plan/cluster-node.ts'
import type { ClusterSpec } from '../../../src/spec/cluster-spec.ts'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { generateMachineConfig } from '../../../src/talos/config/machine-config.ts'
import { installerImage } from '../../../src/talos/config/schematic.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import { formatSecretsBundle } from '../../../src/talos/config/secrets-bundle-yaml.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { clusterNode } from '../../talos/nodes.ts'
import { testPki } from '../../talos/pki-environment.ts'
import { differences, documentsOf } from './config-differences.ts'
import { type Machinery, startMachinery } from './machinery.ts'

let machinery: Machinery
let secrets: SecretsBundle
beforeAll(async () => {
  machinery = await startMachinery()
  secrets = await generateSecretsBundle(testPki)
})
afterAll(() => machinery[Symbol.asyncDispose]())

const versions = ['v1.9.0', 'v1.10.9', 'v1.11.6', 'v1.12.4', 'v1.13.0']
const roles = ['control-plane', 'worker'] as const

const cases = versions.flatMap((version) => roles.map((role) => ({ version, role })))

describe.for(cases)('the config of a $role for Talos $version', ({ version, role }) => {
  const base = clusterSpec()
  const spec = clusterSpec({
    talos: {
      ...base.talos,
      version,
      diskEncryption: true,
      nameservers: ['185.12.64.1'],
      timeServers: ['ntp1.hetzner.de'],
      registryMirrors: { 'docker.io': ['https://mirror.example'] },
    },
    kubernetes: {
      ...base.kubernetes,
      apiServerExtraArgs: { 'audit-log-maxage': '3' },
      oidc: { issuerUrl: 'https://issuer.example', clientId: 'kubernetes' },
      certSans: ['api.example.com'],
    },
  })
  const node = clusterNode({
    role,
    labels: { 'example.com/disk': 'ssd' },
    annotations: { 'example.com/note': 'yes' },
    taints: [{ key: 'example.com/gpu', value: 'true', effect: 'NoSchedule' }],
  })

  test.for(['cloud', 'metal'] as const)('is valid for a machine in %s mode', async (mode) => {
    const config = generateMachineConfig({ spec, node, secrets })
    const { error, warnings = [] } = await machinery.ask({ op: 'validate', config, mode })
    expect(error).toBeUndefined()
    expect(warnings).toEqual([])
  })

  test("differs from machinery's own only where Hetzner, or the spec, wants it", async () => {
    const plain = { ...spec, talos: base.talos, kubernetes: base.kubernetes }
    const own = documentsOf(
      generateMachineConfig({
        spec: { ...plain, talos: { ...base.talos, version } },
        node: clusterNode({ role }),
        secrets,
      }),
    )
    const { text = '', error } = await machinery.ask({
      op: 'generate',
      bundle: formatSecretsBundle(secrets),
      cluster: {
        name: 'demo',
        endpoint: 'https://10.0.32.254:6443',
        kubernetesVersion: base.kubernetes.version,
        contract: version.replace(/\.\d+$/, ''),
        machineType: role === 'worker' ? 'worker' : 'controlplane',
        installDisk: '/dev/sda',
        installImage: installerImage(spec),
        sans: ['10.0.32.254', '127.0.0.1'],
      },
    })
    expect(error).toBeUndefined()
    expect(differences(documentsOf(text), own).sort()).toEqual(meant(version, role))
  })
})

const shapes = {
  'with a private VIP': [{ endpoint: { type: 'vip', address: '10.0.64.100' } }, {}],
  'with a DNS name': [{ endpoint: { type: 'dns', name: 'k8s.example.com' } }, {}],
  'with a floating IP': [{ endpoint: { type: 'floatingIp' } }, {}],
  'without workers': [{ workers: [] }, {}],
  'without a CNI of ours': [{ cni: { type: 'none', values: {} } }, {}],
  'without public addresses': [{}, { publicIpv4: false, publicIpv6: false }],
  'with public IPv6 alone': [{}, { publicIpv4: false }],
} satisfies Record<string, [Partial<ClusterSpec>, Partial<ClusterNode>]>

test.for(Object.entries(shapes))('a cluster %s is valid for every version', async ([, shape]) => {
  const [changes, nodeChanges] = shape
  for (const { version, role } of cases) {
    const spec = clusterSpec({ talos: { ...clusterSpec().talos, version }, ...changes })
    const config = generateMachineConfig({
      spec,
      node: clusterNode({ role, ...nodeChanges }),
      secrets,
      addresses: { floatingIp: '203.0.113.5', loadBalancerPublicIp: '203.0.113.6' },
      vipToken: 'v'.repeat(64),
    })
    expect(await machinery.ask({ op: 'validate', config, mode: 'cloud' })).toEqual({})
  }
})

test('the judge does refuse: a config without its CA, and one with a field of no meaning', async () => {
  const spec = clusterSpec()
  const config = generateMachineConfig({ spec, node: clusterNode(), secrets })
  const withoutCa = config.replace(/^ {4}ca:\n.*\n.*\n/m, '')
  const judge = (text: string) => machinery.ask({ op: 'validate', config: text, mode: 'cloud' })
  expect((await judge(withoutCa)).error).toContain('issuing CA is required')
  expect((await judge(config.replace('debug:', 'debugs:'))).error).toContain('unknown keys')
})

/** Every difference that Hetzner or the plan's own choices ask for, and why it is there. */
function meant(version: string, role: 'control-plane' | 'worker'): string[] {
  const legacy = /^v1\.(9|10|11)\./.test(version)
  const node = role === 'worker' ? 'demo-workers-1' : 'demo-control-plane-1'
  const route = '"gateway":"172.31.1.1","metric":512'
  const metadata = '169.254.169.254/32'
  const everywhere = [
    'cluster.externalCloudProvider: undefined -> {"enabled":true}',
    'cluster.network.cni: undefined -> {"name":"none"}',
    'cluster.network.podSubnets: ["10.244.0.0/16"] -> ["10.0.128.0/17"]',
    'cluster.network.serviceSubnets: ["10.96.0.0/12"] -> ["10.0.96.0/19"]',
    'machine.features.hostDNS.forwardKubeDNSToHost: true -> false',
    'machine.kubelet.extraArgs: undefined -> {"rotate-server-certificates":"true"}',
    'machine.kubelet.nodeIP: undefined -> {"validSubnets":["10.0.64.0/19"]}',
  ]
  const controlPlane = [
    'cluster.etcd.advertisedSubnets: undefined -> ["10.0.64.0/19"]',
    'cluster.proxy.disabled: undefined -> true',
    // Old contracts add the endpoint by themselves, and so have it twice here.
    ...(legacy
      ? [
          'cluster.apiServer.certSANs: ["10.0.32.254","10.0.32.254","127.0.0.1"] -> ["10.0.32.254","127.0.0.1"]',
        ]
      : []),
  ]
  const network = legacy
    ? [
        `machine.network.hostname: undefined -> "${node}"`,
        `machine.network.interfaces: undefined -> [{"interface":"eth0","dhcp":true,"routes":[{"network":"${metadata}",${route}}]},{"interface":"eth1","dhcp":true,"mtu":1450}]`,
      ]
    : [
        'DHCPv4Config eth0: undefined -> {"apiVersion":"v1alpha1","kind":"DHCPv4Config","name":"eth0"}',
        'DHCPv4Config eth1: undefined -> {"apiVersion":"v1alpha1","kind":"DHCPv4Config","name":"eth1"}',
        'HostnameConfig.auto: "stable" -> "off"',
        `HostnameConfig.hostname: undefined -> "${node}"`,
        `LinkConfig eth0: undefined -> {"apiVersion":"v1alpha1","kind":"LinkConfig","name":"eth0","routes":[{"destination":"${metadata}",${route}}]}`,
        'LinkConfig eth1: undefined -> {"apiVersion":"v1alpha1","kind":"LinkConfig","name":"eth1","mtu":1450}',
      ]
  return [...everywhere, ...(role === 'worker' ? [] : controlPlane), ...network].sort()
}
