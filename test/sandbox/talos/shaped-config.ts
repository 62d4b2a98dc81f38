import { stringify } from 'yaml'
import type { CertifiedKey } from '../../../src/sandbox/pki.ts'
import type { ClusterSecrets } from './cluster-secrets.ts'

type Fields = Record<string, unknown>

export interface ShapedOptions {
  readonly kubernetes?: string
  /** Fields laid over those of a document, by its kind; without the document where there are none. */
  readonly documents?: Readonly<Record<string, Fields | undefined>>
  readonly machine?: Fields
  readonly cluster?: Fields
}

/** A machine config in the shape that Talos's generator has since 1.14, with `options` laid over it. */
export function createShapedConfig(
  type: 'controlplane' | 'worker',
  secrets: ClusterSecrets,
  { kubernetes = '1.36.0', documents = {}, machine = {}, cluster = {} }: ShapedOptions = {},
): string {
  const isControlPlane = type === 'controlplane'
  const v1alpha1 = {
    version: 'v1alpha1',
    machine: {
      type,
      token: 'abcdef.0123456789abcdef',
      ca: base64(secrets.os, isControlPlane),
      features: { diskQuotaSupport: true },
      ...machine,
    },
    cluster: {
      token: 'abcdef.0123456789abcdef',
      ...(isControlPlane && { etcd: { ca: base64(secrets.etcd, true) } }),
      ...cluster,
    },
  }
  const made = {
    ...forAll(secrets, kubernetes, isControlPlane),
    ...(isControlPlane && forControlPlanes(secrets, kubernetes)),
  }
  const kinds = [...new Set([...Object.keys(made), ...Object.keys(documents)])]
  const others = kinds.flatMap((kind) => {
    const own = Object.hasOwn(documents, kind) ? documents[kind] : {}
    if (own === undefined) return []
    return [{ apiVersion: 'v1alpha1', kind, ...made[kind], ...own }]
  })
  return [v1alpha1, ...others].map((each) => stringify(each, { lineWidth: 0 })).join('---\n')
}

function forAll(
  secrets: ClusterSecrets,
  kubernetes: string,
  isControlPlane: boolean,
): Record<string, Fields> {
  const { kubernetes: ca } = secrets
  return {
    DiscoveryServiceConfig: { name: 'default', endpoint: 'https://discovery.talos.dev/' },
    DiscoveryIdentityConfig: {
      clusterID: secrets.id,
      clusterSecret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTAxMjM=',
    },
    UnattendedInstallConfig: {
      installer: { image: 'factory.talos.dev/hcloud-installer/a:v1.14.1' },
      provisioning: { diskSelector: { match: 'disk.dev_path == "/dev/sda"' }, wipe: false },
    },
    ResolverConfig: { hostDNS: { enabled: true, forwardKubeDNSToHost: true } },
    VolumeConfig: { name: 'EPHEMERAL', mount: { secure: true } },
    FilesystemTrimConfig: { interval: '168h0m0s' },
    SecurityProfileConfig: { workloadIsolation: true },
    HostnameConfig: { auto: 'stable' },
    KubeClusterConfig: { clusterName: 'demo', endpoint: 'https://10.0.127.253:6443' },
    KubeNodeConfig: isControlPlane
      ? {
          nodeIP: { validSubnets: ['10.0.64.0/19'] },
          labels: { 'node-role.kubernetes.io/control-plane': '' },
          taints: { 'node-role.kubernetes.io/control-plane': 'NoSchedule' },
        }
      : { nodeIP: { validSubnets: ['10.0.64.0/19'] } },
    KubeletConfig: {
      image: `ghcr.io/siderolabs/kubelet:v${kubernetes}`,
      config: {},
      defaultRuntimeSeccompProfileEnabled: true,
    },
    KubeNetworkConfig: {
      dnsDomain: 'cluster.local',
      podSubnets: ['10.244.0.0/16'],
      serviceSubnets: ['10.96.0.0/12'],
    },
    KubeAPIServerCAConfig: isControlPlane
      ? { issuingCA: { cert: ca.crt, key: ca.key } }
      : { acceptedCAs: [ca.crt] },
    KubePrismConfig: { port: 7445 },
  }
}

function forControlPlanes(secrets: ClusterSecrets, kubernetes: string): Record<string, Fields> {
  const image = (name: string) => `registry.k8s.io/${name}:v${kubernetes}`
  const { aggregator } = secrets
  return {
    KubeAggregatorCAConfig: { issuingCA: { cert: aggregator.crt, key: aggregator.key } },
    KubeAdmissionControlConfig: {
      name: 'PodSecurity',
      configuration: { exemptions: { namespaces: ['kube-system'] } },
    },
    KubeAuthenticationConfig: { configuration: { jwt: [] } },
    KubeAuthorizerConfig: { name: 'node', type: 'Node' },
    KubeEtcdEncryptionConfig: {
      config: {
        resources: [
          {
            resources: ['secrets'],
            providers: [{ secretbox: { keys: [{ name: 'key2', secret: 'c2VjcmV0' }] } }],
          },
        ],
      },
    },
    KubeServiceAccountConfig: {
      issuer: { privateKey: secrets.serviceAccount, issuerURL: 'https://10.0.127.253:6443' },
    },
    KubeAPIServerConfig: { image: image('kube-apiserver'), certExtraSANs: ['api.example.org'] },
    KubeControllerManagerConfig: { image: image('kube-controller-manager') },
    KubeSchedulerConfig: { image: image('kube-scheduler'), config: {} },
    KubeProxyConfig: { image: image('kube-proxy'), config: {} },
    KubeFlannelCNIConfig: { backendType: 'vxlan', backendPort: 4789 },
    KubeCoreDNSConfig: { enabled: true },
  }
}

function base64({ crt, key }: CertifiedKey, withKey: boolean): Fields {
  const text = (pem: string) => Buffer.from(pem).toString('base64')
  return { crt: text(crt), key: withKey ? text(key) : '' }
}
