import { parseAllDocuments } from 'yaml'
import { isKubernetesObject, type KubernetesObject } from '../../lib/kubernetes-object.ts'
import { dnsObjects } from '../kubernetes/controllers/cluster-dns.ts'
import type { NodeConfig } from './config/node-config.ts'
import type { TalosVersion } from './talos-version.ts'

export interface BootstrapManifest {
  /** As Talos numbers them: `11-core-dns`. */
  readonly id: string
  readonly objects: readonly KubernetesObject[]
}

/** CoreDNS by minor of Talos 1: which one it is matters less than that it changes with Talos. */
const coreDns: Readonly<Record<number, string>> = {
  9: 'v1.12.0',
  10: 'v1.12.1',
  11: 'v1.12.3',
  12: 'v1.13.2',
  13: 'v1.14.2',
  14: 'v1.14.7',
}

/** What a control plane brings into its cluster, by its config and its Talos. */
export function bootstrapManifests(
  config: NodeConfig,
  { minor }: TalosVersion,
): BootstrapManifest[] {
  const dns = `registry.k8s.io/coredns/coredns:${coreDns[minor] ?? 'v1.14.7'}`
  const { proxyImage } = config
  return [
    ...(proxyImage === undefined ? [] : [{ id: '10-kube-proxy', objects: kubeProxy(proxyImage) }]),
    { id: '11-core-dns', objects: dnsObjects(config.serviceSubnet, dns) },
    ...config.inlineManifests.map(({ name, contents }) => ({
      id: `99-inline-${name}`,
      objects: parseAllDocuments(contents)
        .map((document): unknown => document.toJS())
        .filter(isKubernetesObject),
    })),
  ]
}

const proxyLabels = { 'k8s-app': 'kube-proxy', tier: 'node' }

function kubeProxy(image: string): KubernetesObject[] {
  const namespace = 'kube-system'
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'kube-proxy', namespace } },
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'kube-proxy', namespace, labels: proxyLabels },
      spec: {
        selector: { matchLabels: proxyLabels },
        template: {
          metadata: { labels: proxyLabels },
          spec: {
            serviceAccountName: 'kube-proxy',
            priorityClassName: 'system-cluster-critical',
            hostNetwork: true,
            tolerations: [{ operator: 'Exists' }],
            containers: [{ name: 'kube-proxy', image }],
          },
        },
      },
    },
  ]
}
