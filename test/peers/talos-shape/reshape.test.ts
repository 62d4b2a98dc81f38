import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import type { ClusterSpec } from '../../../src/spec/cluster-spec.ts'
import { generateSecretsBundle } from '../../../src/talos/config/generate-secrets-bundle.ts'
import { machineConfigDocuments } from '../../../src/talos/config/machine-config.ts'
import { reshapeConfig } from '../../../src/talos/config/reshape/reshape-config.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import { formatSecretsBundle } from '../../../src/talos/config/secrets-bundle-yaml.ts'
import { validateConfig } from '../../../src/talos/config/validate/validate-config.ts'
import { formatYamlDocuments } from '../../../src/talos/config/yaml-documents.ts'
import { clusterSpec } from '../../plan/specs.ts'
import { clusterNode } from '../../talos/nodes.ts'
import { testPki } from '../../talos/pki-environment.ts'
import { differences, documentsOf } from '../talos/config-differences.ts'
import { startTalosJudge, type TalosJudge } from '../talos-versions/talos-judge.ts'
import { oldPatch } from './old-patches.ts'
import { type Reading, type ShapeReader, startShapeReader } from './shape-reader.ts'

type Role = 'control-plane' | 'worker'

let reader: ShapeReader
let judge: TalosJudge
let secrets: SecretsBundle
beforeAll(async () => {
  reader = await startShapeReader()
  judge = await startTalosJudge(14)
  secrets = await generateSecretsBundle(testPki)
})
afterAll(async () => {
  await reader[Symbol.asyncDispose]()
  await judge[Symbol.asyncDispose]()
})

const base = clusterSpec()
function specOf(talos: Partial<ClusterSpec['talos']> = {}, more: Partial<ClusterSpec> = {}) {
  return clusterSpec({
    talos: { ...base.talos, version: 'v1.14.1', ...talos },
    kubernetes: { ...base.kubernetes, version: '1.37.0' },
    ...more,
  })
}

test.each(['control-plane', 'worker'] as const)(
  "of a %s it is what Talos's own generator writes for the contract v1.14, but for what Hetzner or the plan wants",
  async (role) => {
    const node = clusterNode({ role })
    const { documents, placeless } = reshapeConfig(
      machineConfigDocuments({ spec: specOf(), node, secrets }),
    )
    expect(placeless).toEqual([])
    const generated = await reader.generate({
      bundle: formatSecretsBundle(secrets),
      name: 'demo',
      endpoint: 'https://10.0.32.254:6443',
      kubernetesVersion: '1.37.0',
      contract: 'v1.14',
      machineType: role === 'worker' ? 'worker' : 'controlplane',
      installDisk: '/dev/sda',
      sans: ['10.0.32.254', '127.0.0.1'],
    })
    const own = documentsOf(formatYamlDocuments(documents))
    const different = differences(documentsOf(generated), own).map((each) => each.split(': ')[0])
    expect(different.sort()).toEqual(meant(role))
  },
)

/** Where ours differs from machinery's, and why. */
function meant(role: Role): string[] {
  return [
    // Hetzner's networks and names, as in every shape of ours.
    'DHCPv4Config eth0',
    'DHCPv4Config eth1',
    'LinkConfig eth0',
    'LinkConfig eth1',
    'HostnameConfig.auto',
    'HostnameConfig.hostname',
    'KubeNetworkConfig.podSubnets',
    'KubeNetworkConfig.serviceSubnets',
    'KubeNodeConfig.nodeIP.validSubnets',
    'cluster.externalCloudProvider',
    // Serving certificates of kubelets that the cluster signs, and the image of the factory.
    'KubeletConfig.extraArgs',
    'UnattendedInstallConfig.installer.image',
    // Cilium is the network, and its masquerading cannot reach the resolver of the host.
    'ResolverConfig.hostDNS.forwardKubeDNSToHost',
    ...(role === 'worker'
      ? []
      : [
          'KubeFlannelCNIConfig',
          'KubeProxyConfig.enabled',
          'cluster.etcd.advertisedSubnets',
          // What was written in plain text can still be read, as with every shape before.
          'KubeEtcdEncryptionConfig.config.resources',
        ]),
  ].sort()
}

const host = fc.stringMatching(/^[a-z]{1,8}\.example\.com$/)
const spec = fc
  .record({
    diskEncryption: fc.boolean(),
    nameservers: fc.uniqueArray(fc.ipV4(), { maxLength: 2 }),
    timeServers: fc.uniqueArray(host, { maxLength: 2 }),
    workers: fc.boolean(),
    cni: fc.constantFrom('cilium' as const, 'none' as const),
  })
  .map(({ workers, cni, ...talos }) =>
    specOf(talos, { cni: { type: cni, values: {} }, ...(workers ? {} : { workers: [] }) }),
  )
const taints = fc.constantFrom(
  [],
  [{ key: 'example.com/gpu', value: 'true', effect: 'NoSchedule' as const }],
)

test('whatever the file and patches of the old shape ask for, a node takes it and reads the same out of it', async () => {
  const property = fc.asyncProperty(
    spec,
    fc.constantFrom<Role>('control-plane', 'worker'),
    taints,
    oldPatch,
    async (ofCluster, role, ofNode, patch) => {
      const patches = [JSON.stringify(patch)]
      const old = machineConfigDocuments({
        spec: { ...ofCluster, talos: { ...ofCluster.talos, patches } },
        node: clusterNode({ role, taints: ofNode }),
        secrets,
      })
      const oldText = formatYamlDocuments(old)
      fc.pre((await judge.judge(oldText)).error === undefined)
      const { documents, placeless } = reshapeConfig(old)
      expect(placeless).toEqual([])
      const text = formatYamlDocuments(documents)
      const verdict = await judge.judge(text)
      expect(verdict.error).toBeUndefined()
      expect(validateConfig(documents, 14).filter(({ severity }) => severity === 'error')).toEqual(
        [],
      )
      const [before, after] = [await reader.read(oldText), await reader.read(text)]
      expect(meaning(after, role)).toEqual(meaning(before, role))
    },
  )
  await fc.assert(property, { numRuns: 200 })
})

/** Accessors that tell of the shape, or that only one of them fills. */
const ofShape: readonly string[] = [
  // DiscoveryServiceConfigs says what there is in both.
  'Cluster.Discovery',
  // See installOf and encryptionOf.
  'Cluster.SecretboxEncryptionSecret',
  'K8sEtcdEncryptionConfig',
  'Machine.Install',
  'UnattendedInstallConfig',
  // Defaults of the contract v1.14, in every new cluster.
  'FilesystemTrimConfig',
  'SecurityProfileConfig',
  'K8sAPIServerConfig.StartupProbesEnabled',
  'K8sAPIServerConfig.UseAuthenticationConfig',
  'K8sAuthenticationConfig',
  'K8sProxyConfig.UseConfigFile',
  // The authorities of the host are mounted always; with the old shape by who wanted them.
  'K8sAPIServerConfig.ExtraVolumes',
]

const ofControlPlane = [
  'K8sAPIServerConfig',
  'K8sAdmissionControlPluginConfigs',
  'K8sAggregatorCAConfig',
  'K8sAuditPolicyConfig',
  'K8sAuthorizerConfigs',
  'K8sControllerManagerConfig',
  'K8sCoreDNSConfig',
  'K8sFlannelCNIConfig',
  'K8sProxyConfig',
  'K8sSchedulerConfig',
  'K8sServiceAccountConfig',
]

/** What a node of a role makes of a reading, whatever the shape was. */
function meaning(reading: Reading, role: Role): JsonObject {
  const copy = JSON.parse(JSON.stringify(reading))
  const [authorizers, install, encryption] = [
    authorizersOf(copy),
    installOf(copy),
    encryptionOf(copy),
  ]
  for (const path of [...ofShape, 'K8sAPIServerConfig.InjectDefaultAuthorizers']) remove(copy, path)
  for (const service of copy.DiscoveryServiceConfigs ?? []) service.Name = 'any'
  // Without configuration there is none.
  if (JSON.stringify(copy.K8sCredentialProviderConfig) === '{"Configuration":{}}') {
    copy.K8sCredentialProviderConfig = null
  }
  if (role === 'worker') for (const path of ofControlPlane) remove(copy, path)
  else Object.assign(copy, { K8sAuthorizerConfigs: authorizers, encryption })
  return { ...copy, install }
}

function installOf({
  Machine: { Install: old },
  UnattendedInstallConfig: now,
}: {
  readonly Machine: {
    readonly Install: { readonly Image: string; readonly Disk: string; readonly Zero: boolean }
  }
  readonly UnattendedInstallConfig:
    | (Readonly<Record<'InstallerImage' | 'VolumeSelector', string>> & {
        readonly VolumeWipe: boolean
      })
    | null
}): JsonObject {
  return now
    ? { image: now.InstallerImage, disk: now.VolumeSelector, wipe: now.VolumeWipe }
    : { image: old.Image, disk: `disk.dev_path == "${old.Disk}"`, wipe: old.Zero }
}

/** As APIServerEncryptionConfig of Talos's templates makes it out of the keys of the old shape. */
function encryptionOf({
  Cluster: { SecretboxEncryptionSecret: secret },
  K8sEtcdEncryptionConfig: now,
}: {
  readonly Cluster: { readonly SecretboxEncryptionSecret: string }
  readonly K8sEtcdEncryptionConfig: { readonly EtcdEncryptionConfig: JsonObject } | null
}): JsonObject {
  const providers = [{ secretbox: { keys: [{ name: 'key2', secret }] } }, { identity: {} }]
  return now?.EtcdEncryptionConfig ?? { resources: [{ providers, resources: ['secrets'] }] }
}

interface Authorizer {
  readonly Name: string
  readonly Type: string
}

/** With those that a node puts among them where the old shape leaves them out: NewControlPlaneAuthorizationController. */
function authorizersOf(reading: {
  readonly K8sAuthorizerConfigs: readonly Authorizer[] | null
  readonly K8sAPIServerConfig: { readonly InjectDefaultAuthorizers: boolean }
}): Authorizer[] {
  const all = [...(reading.K8sAuthorizerConfigs ?? [])]
  if (!reading.K8sAPIServerConfig.InjectDefaultAuthorizers) return all
  for (const [index, type] of ['Node', 'RBAC'].entries()) {
    const own = { Name: type.toLowerCase(), Type: type, Webhook: {} }
    if (!all.some(({ Type }) => Type === type)) all.splice(index, 0, own)
  }
  return all
}

function remove(object: JsonObject, path: string): void {
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  const parent = keys.reduce<unknown>((each, key) => Reflect.get(Object(each), key), object)
  if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, last)
}
