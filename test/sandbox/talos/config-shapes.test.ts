import { expect, test } from 'vitest'
import { ConfigRefused } from '../../../src/sandbox/talos/config/config-refused.ts'
import { type NodeConfig, readNodeConfig } from '../../../src/sandbox/talos/config/node-config.ts'
import { parseConfig } from '../../../src/sandbox/talos/config/parse-config.ts'
import {
  validateAtRuntime,
  validateConfig,
} from '../../../src/sandbox/talos/config/validate-config.ts'
import { parseTalosVersion } from '../../../src/sandbox/talos/talos-version.ts'
import { createConfig, createSecrets } from './cluster-secrets.ts'
import { createShapedConfig, type ShapedOptions } from './shaped-config.ts'

const secrets = createSecrets()

function version(tag: string) {
  const parsed = parseTalosVersion(tag)
  if (parsed === undefined) throw new Error(tag)
  return parsed
}

/** What a node of this version says to a config; empty where it takes it. */
function judge(text: string, tag = 'v1.14.1'): string {
  try {
    const documents = parseConfig(text, version(tag))
    const problems = validateConfig(documents, version(tag))
    return [...problems, ...validateAtRuntime(documents, version(tag))].join('\n')
  } catch (error) {
    if (error instanceof ConfigRefused) return error.message
    throw error
  }
}

const controlPlane = (options?: ShapedOptions) =>
  createShapedConfig('controlplane', secrets, options)
const worker = (options?: ShapedOptions) => createShapedConfig('worker', secrets, options)
const read = (text: string) => readNodeConfig(text, parseConfig(text, version('v1.14.1')))

test('a node of 1.14 takes both shapes, and an older one the old shape alone', () => {
  expect(judge(controlPlane())).toBe('')
  expect(judge(worker())).toBe('')
  for (const type of ['controlplane', 'worker'] as const) {
    expect(judge(createConfig(type, secrets, { kubernetes: '1.36.0' }))).toBe('')
  }
  expect(judge(worker(), 'v1.13.9')).toMatch(/"DiscoveryServiceConfig" "v1alpha1": not registered/)
  const resolver = 'apiVersion: v1alpha1\nkind: ResolverConfig\nhostDNS: {enabled: true}\n'
  const old = createConfig('worker', secrets, { kubernetes: '1.36.0', machine: { features: {} } })
  expect(judge(`${old}---\n${resolver}`)).toBe('')
  expect(judge(`${old}---\n${resolver}`, 'v1.13.9')).toMatch(/unknown keys found.*\nhostDNS/)
})

test.each<[string, string, string | RegExp]>([
  [
    'a section beside the document that replaces it',
    controlPlane({ machine: { kubelet: { extraMounts: [] } } }),
    'KubeletConfig: .machine.kubelet is already set in v1alpha1 config',
  ],
  [
    'labels in both shapes',
    worker({ machine: { nodeLabels: { a: 'b' } } }),
    'KubeNodeConfig: .machine.nodeLabels is already set in v1alpha1 config',
  ],
  [
    'an install section',
    worker({ machine: { install: { extraKernelArgs: ['quiet'] } } }),
    'UnattendedInstallConfig: .machine.install is already set in v1alpha1 config',
  ],
  [
    'the resolver of the host in both shapes',
    worker({ machine: { features: { hostDNS: { enabled: true } } } }),
    'ResolverConfig: .machine.features.hostDNS is already set in v1alpha1 config',
  ],
  [
    'a network section',
    controlPlane({ cluster: { network: { cni: { name: 'none' } } } }),
    /KubeNetworkConfig: .cluster.network is already set.*\nKubeFlannelCNIConfig: .cluster.network is/,
  ],
  [
    'a control plane’s document on a worker',
    worker({ documents: { KubeSchedulerConfig: { image: 'a:v1.36.0' } } }),
    /only allowed on control plane machines: KubeSchedulerConfig/,
  ],
  [
    'a control plane that would write secrets in plain text',
    controlPlane({ documents: { KubeEtcdEncryptionConfig: undefined } }),
    'etcd encryption config is required on control plane machines',
  ],
  [
    'an argument that has a document',
    controlPlane({ documents: { KubeAPIServerConfig: { extraArgs: { 'oidc-issuer-url': 'x' } } } }),
    'KubeAPIServerConfig: extra argument "oidc-issuer-url" is not allowed',
  ],
  [
    'what Talos gives its kubelets',
    worker({ documents: { KubeletConfig: { config: { rotateCertificates: true } } } }),
    /config field "rotateCertificates" can't be overridden/,
  ],
  [
    'an unknown field of a document',
    worker({ documents: { KubeletConfig: { extraMounts: [] } } }),
    /unknown keys found during decoding:\nextraMounts/,
  ],
  [
    'a service to be discovered by without an identity',
    worker({ documents: { DiscoveryIdentityConfig: undefined } }),
    /cluster discovery service requires .cluster.id/,
  ],
  [
    'a cluster without an endpoint',
    worker({ documents: { KubeClusterConfig: { endpoint: '' } } }),
    /KubeClusterConfig: invalid endpoint/,
  ],
  [
    'a Kubernetes that it does not run',
    worker({ documents: { KubeletConfig: { image: 'a:v1.31.0' } } }),
    /kubelet image is not valid: version of Kubernetes 1.31.0 is too old/,
  ],
])('a node of 1.14 refuses %s', (_, text, problem) => {
  if (typeof problem === 'string') expect(judge(text)).toBe(problem)
  else expect(judge(text)).toMatch(problem)
})

/** What a config says, without what differs by how it is written. */
function meaning({ text: _text, components, cniName: _cni, ...config }: NodeConfig) {
  const settings = Object.entries(components).map(([name, { rendering: _r, ...rest }]) => [
    name,
    { ...rest, extraConfig: rest.extraConfig ?? {} },
  ])
  return { ...config, components: Object.fromEntries(settings) }
}

test('a node reads the same out of both shapes', () => {
  const old = createConfig('controlplane', secrets, {
    kubernetes: '1.36.0',
    machine: { certSANs: [] },
  })
  const shaped = meaning(read(controlPlane()))
  const wanted = meaning(read(old))
  expect({ ...shaped, components: {}, etcdSubnets: [] }).toEqual({
    ...wanted,
    components: {},
    etcdSubnets: [],
  })
  const oldWorker = createConfig('worker', secrets, {
    kubernetes: '1.36.0',
    machine: { certSANs: [] },
  })
  expect(meaning(read(worker())).kubernetesCa.crt).toBe(read(oldWorker).kubernetesCa.crt)
})

test('settings are taken from the documents, and what is left out is left to Talos', () => {
  const config = read(
    controlPlane({
      documents: {
        KubeNodeConfig: { labels: { own: 'yes' }, taints: { 'example.com/a': 'x:NoExecute' } },
        KubeProxyConfig: { enabled: false },
        KubeAPIServerConfig: { extraArgs: { v: ['2', '3'] } },
        KubeFlannelCNIConfig: undefined,
        KubeInlineManifestConfig: { name: 'a', manifest: 'kind: A' },
      },
    }),
  )
  expect(config.labels).toEqual({ own: 'yes' })
  expect(config.taints).toEqual([{ key: 'example.com/a', value: 'x', effect: 'NoExecute' }])
  expect(config.proxyImage).toBeUndefined()
  expect(config.components['kube-apiserver'].args).toEqual({ v: ['2', '3'] })
  expect(config.components['kube-apiserver'].exemptNamespaces).toEqual(['kube-system'])
  expect(config.cniName).toBe('none')
  expect(read(controlPlane()).cniName).toBe('flannel')
  expect(config.inlineManifests).toEqual([{ name: 'a', contents: 'kind: A' }])
  expect(read(controlPlane({ documents: { KubeProxyConfig: undefined } })).proxyImage).toContain(
    'kube-proxy:v1.36.0',
  )
  const tainted = read(
    worker({ documents: { KubeNodeConfig: { taints: { 'example.com/a': 'NoSchedule' } } } }),
  )
  expect(tainted.taints).toEqual([{ key: 'example.com/a', effect: 'NoSchedule' }])
})

test('what an API server is configured with is its rendering', () => {
  const renderingOf = (documents: NonNullable<ShapedOptions['documents']>) =>
    read(controlPlane({ documents })).components['kube-apiserver'].rendering
  const plain = renderingOf({})
  const anonymous = { configuration: { anonymous: { enabled: true } } }
  expect(renderingOf({ KubeAuthenticationConfig: anonymous })).not.toBe(plain)
  expect(renderingOf({ FilesystemTrimConfig: { interval: '24h0m0s' } })).toBe(plain)
})
