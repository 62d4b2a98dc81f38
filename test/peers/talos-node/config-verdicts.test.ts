import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMap, parseAllDocuments, stringify } from 'yaml'
import { ConfigRefused } from '../../../src/sandbox/talos/config/config-refused.ts'
import { parseConfig } from '../../../src/sandbox/talos/config/parse-config.ts'
import { validateConfig } from '../../../src/sandbox/talos/config/validate-config.ts'
import { parseTalosVersion } from '../../../src/sandbox/talos/talos-version.ts'
import { type Machinery, startMachinery } from '../talos/machinery.ts'

const kubernetes = {
  'v1.9': '1.32.0',
  'v1.10': '1.33.0',
  'v1.11': '1.34.0',
  'v1.12': '1.35.0',
  'v1.13': '1.36.0',
}
const types = ['controlplane', 'worker'] as const
let machinery: Machinery
let bundle: string

beforeAll(async () => {
  machinery = await startMachinery()
  const made = await machinery.ask({ op: 'make-bundle', cluster: { contract: 'v1.13' } })
  bundle = made.text ?? ''
})

afterAll(() => machinery[Symbol.asyncDispose]())

async function generate(contract: keyof typeof kubernetes, machineType: (typeof types)[number]) {
  const { text, error } = await machinery.ask({
    op: 'generate',
    bundle,
    cluster: {
      name: 'demo',
      endpoint: 'https://10.0.127.253:6443',
      kubernetesVersion: kubernetes[contract],
      contract,
      machineType,
      installDisk: '/dev/sda',
      installImage: 'ghcr.io/siderolabs/installer:v1.13.0',
      sans: ['127.1.2.3'],
    },
  })
  expect(error).toBeUndefined()
  return text ?? ''
}

/** Whether a simulated node of this version takes the config. */
function isTaken(text: string, tag: string): boolean {
  const version = parseTalosVersion(tag)
  if (version === undefined) throw new Error(tag)
  try {
    return validateConfig(parseConfig(text, version), version).length === 0
  } catch (error) {
    if (error instanceof ConfigRefused) return false
    throw error
  }
}

describe('what Talos itself generates', () => {
  test.each(
    Object.keys(kubernetes).flatMap((contract) => types.map((type) => [contract, type] as const)),
  )('for %s, a %s, is taken by a simulated node of that version', async (contract, type) => {
    if (!isContract(contract)) throw new Error(contract)
    expect(isTaken(await generate(contract, type), `${contract}.0`)).toBe(true)
  })
})

function isContract(text: string): text is keyof typeof kubernetes {
  return text in kubernetes
}

/** Changes to a generated config: a path in its first document, and what is put there. */
const changes: readonly (readonly [type: (typeof types)[number], path: string, value: unknown])[] =
  [
    ['controlplane', 'machine.kubelet.extraArgs', { 'rotate-server-certificates': 'true' }],
    ['controlplane', 'machine.kubelet.extraConfig', { failCgroupV1: false }],
    ['controlplane', 'machine.kubelet.nodeIP', { validSubnets: ['10.0.64.0/19'] }],
    ['controlplane', 'machine.kubelet.nodeIP', { validSubnet: ['10.0.64.0/19'] }],
    [
      'controlplane',
      'machine.kubelet.extraMounts',
      [{ destination: '/a', type: 'bind', source: '/b', options: ['rw'] }],
    ],
    ['controlplane', 'machine.kubelt', {}],
    ['controlplane', 'machine.type', 'master'],
    ['controlplane', 'machine.type', 'init'],
    ['controlplane', 'machine.certSANs', 'one'],
    ['controlplane', 'machine.ca', undefined],
    ['controlplane', 'machine.nodeLabels', { 'a/b': 'c' }],
    ['controlplane', 'machine.nodeLabels', { 'a b': 'c' }],
    ['controlplane', 'machine.nodeTaints', { dedicated: 'db:NoSchedule' }],
    ['controlplane', 'machine.nodeTaints', { dedicated: 'db:Never' }],
    ['controlplane', 'machine.sysctls', { 'net.core.somaxconn': '65535' }],
    ['controlplane', 'machine.time', { servers: ['ntp1.hetzner.de'] }],
    ['controlplane', 'machine.time', { server: 'ntp1.hetzner.de' }],
    [
      'controlplane',
      'machine.registries',
      { mirrors: { 'docker.io': { endpoints: ['https://m.example.org'] } } },
    ],
    ['controlplane', 'machine.registries', { mirrors: { 'docker.io': { endpoint: [] } } }],
    ['controlplane', 'machine.features.hostDNS', { enabled: false, forwardKubeDNSToHost: true }],
    [
      'controlplane',
      'machine.network',
      { interfaces: [{ interface: 'eth1', dhcp: true, mtu: 1450 }] },
    ],
    ['controlplane', 'machine.network', { interfaces: [{ interface: 'eth1', dchp: true }] }],
    [
      'worker',
      'machine.network',
      { interfaces: [{ interface: 'eth1', vip: { ip: '10.0.64.5' } }] },
    ],
    [
      'controlplane',
      'machine.systemDiskEncryption',
      { state: { provider: 'luks2', keys: [{ nodeID: {}, slot: 0 }] } },
    ],
    ['controlplane', 'cluster.id', undefined],
    ['controlplane', 'cluster.secret', undefined],
    ['controlplane', 'cluster.discovery', { enabled: false }],
    ['controlplane', 'cluster.controlPlane', { endpoint: 'http//x' }],
    ['controlplane', 'cluster.controlPlane', {}],
    ['controlplane', 'cluster.network.cni', { name: 'none' }],
    ['controlplane', 'cluster.network.cni', { name: 'cilium' }],
    ['controlplane', 'cluster.network.cni', { name: 'none', urls: ['https://example.org'] }],
    ['controlplane', 'cluster.proxy', { disabled: true }],
    ['controlplane', 'cluster.proxy', { disable: true }],
    ['controlplane', 'cluster.etcd.advertisedSubnets', ['10.0.64.0/19']],
    ['worker', 'cluster.etcd', { advertisedSubnets: ['10.0.64.0/19'] }],
    ['controlplane', 'cluster.apiServer.extraArgs', { 'enable-aggregator-routing': 'true' }],
    ['controlplane', 'cluster.externalCloudProvider', { enabled: true }],
    [
      'controlplane',
      'cluster.externalCloudProvider',
      { enabled: false, manifests: ['https://example.org/a'] },
    ],
    [
      'controlplane',
      'cluster.inlineManifests',
      [
        { name: 'a', contents: '' },
        { name: 'a', contents: '' },
      ],
    ],
    ['controlplane', 'cluster.allowSchedulingOnControlPlanes', true],
    ['controlplane', 'cluster.allowSchedulingOnControlPlanes', 'yes please'],
    ['controlplane', 'cluster.adminKubeconfig', { certLifetime: '24h0m0s' }],
    ['controlplane', 'persist', false],
    ['controlplane', 'surprise', true],
  ]

describe('what is changed in a config is judged as Talos judges it', () => {
  test.each(changes)('%s: %s: %j', async (type, path, value) => {
    const [legacy, ...others] = parseAllDocuments(await generate('v1.12', type))
    if (!isMap(legacy?.contents))
      throw new Error('a generated config begins with its largest document')
    if (value === undefined) legacy.deleteIn(path.split('.'))
    else legacy.setIn(path.split('.'), legacy.createNode(value))
    const text = [legacy, ...others].map((document) => stringify(document)).join('---\n')
    const { error } = await machinery.ask({ op: 'validate', mode: 'cloud', config: text })
    // Machinery counts its advice as errors here; a node takes such a config and says its warnings.
    const refused = error !== undefined && !/^(?:.*\n)*\t\* warning:/.test(error)
    expect(isTaken(text, 'v1.13.0'), error).toBe(!refused)
  })
})
