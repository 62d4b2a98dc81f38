import { cidrHost, parseCidr } from '../../../lib/cidr.ts'
import { make } from './bootstrap-objects.ts'
import type { ClusterContext } from './cluster-context.ts'

const dnsLabels = { 'k8s-app': 'kube-dns' }

/** CoreDNS, as Talos brings it: it waits for the pod network, and for nodes that take it. */
export function makeDns(context: ClusterContext): void {
  const namespace = 'kube-system'
  const range = parseCidr(context.api.serviceCidr)
  make(context, 'serviceaccounts', { metadata: { name: 'coredns', namespace } })
  make(context, 'services', {
    metadata: { name: 'kube-dns', namespace, labels: dnsLabels },
    spec: {
      selector: dnsLabels,
      clusterIP: range === undefined ? 'None' : cidrHost(range, 10),
      ports: [
        { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
        { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
      ],
    },
  })
  make(context, 'deployments.apps', {
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
              image: 'registry.k8s.io/coredns/coredns:v1.12.0',
              ports: [{ name: 'dns', containerPort: 53, protocol: 'UDP' }],
            },
          ],
        },
      },
    },
  })
}
