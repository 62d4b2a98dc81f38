import { cidrHost, parseCidr } from '../../ip-range.ts'
import { createUnlessThere } from '../api/create-object.ts'
import type { KubeObject } from '../model/kube-object.ts'
import type { ClusterContext } from './cluster-context.ts'

const dnsLabels = { 'k8s-app': 'kube-dns' }

/** CoreDNS in a cluster that nobody else gives it to. */
export function makeDns({ api }: Pick<ClusterContext, 'api'>): void {
  for (const object of dnsObjects(api.serviceCidr, 'registry.k8s.io/coredns/coredns:v1.12.0')) {
    const type = api.resources.ofKind(object.apiVersion, object.kind)
    if (type) createUnlessThere(api, type, object, { manager: 'kube-apiserver' })
  }
}

/** CoreDNS, as Talos brings it: it waits for the pod network, and for nodes that take it. */
export function dnsObjects(serviceCidr: string, image: string): KubeObject[] {
  const namespace = 'kube-system'
  const range = parseCidr(serviceCidr)
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'coredns', namespace } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kube-dns', namespace, labels: dnsLabels },
      spec: {
        selector: dnsLabels,
        clusterIP: range === undefined ? 'None' : cidrHost(range, 10),
        ports: [
          { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
          { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
        ],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'coredns', namespace, labels: dnsLabels },
      spec: {
        replicas: 2,
        selector: { matchLabels: dnsLabels },
        template: {
          metadata: { labels: dnsLabels },
          spec: {
            serviceAccountName: 'coredns',
            priorityClassName: 'system-cluster-critical',
            tolerations: [
              {
                key: 'node-role.kubernetes.io/control-plane',
                operator: 'Exists',
                effect: 'NoSchedule',
              },
              {
                key: 'node.cloudprovider.kubernetes.io/uninitialized',
                operator: 'Exists',
                effect: 'NoSchedule',
              },
            ],
            containers: [
              {
                name: 'coredns',
                image: image,
                ports: [{ name: 'dns', containerPort: 53, protocol: 'UDP' }],
              },
            ],
          },
        },
      },
    },
  ]
}
