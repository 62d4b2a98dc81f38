import type { JsonObject } from '../../../lib/json.ts'
import { createUnlessThere } from '../../kubernetes/api/create-object.ts'
import { updateObject } from '../../kubernetes/api/update-object.ts'
import { dnsObjects } from '../../kubernetes/controllers/cluster-dns.ts'
import { type KubeObject, objectKey, withMeta } from '../../kubernetes/model/kube-object.ts'
import { flagAt, objectAt, textAt } from '../../kubernetes/model/read-json.ts'
import type { HostCluster } from './host-cluster.ts'
import { imagesOf } from './static-pod.ts'

const options = { manager: 'kubeadm' }
const system = 'kube-system'

/** Writes an object as kubeadm does: what is there is replaced, but for what others added to its metadata. */
export function putObject(
  { kubernetes: { context } }: HostCluster,
  object: KubeObject,
): KubeObject {
  const type = context.resources.ofKind(object.apiVersion, object.kind)
  if (type === undefined) throw new Error(`no kind ${object.kind}`)
  const made = createUnlessThere(context, type, object, options)
  if (made) return made
  const merge = (live: KubeObject) => ({
    ...live,
    ...object,
    metadata: { ...live.metadata, ...object.metadata },
  })
  return updateObject(context, type, objectKey(object), merge, options)
}

export function configMap(
  name: string,
  data: Readonly<Record<string, string>>,
  namespace = system,
) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data }
}

/** What gives `admin.conf` its rights. */
export const adminBinding: KubeObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'kubeadm:cluster-admins' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [
    { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'kubeadm:cluster-admins' },
  ],
}

/** The taint that kubeadm gives a control plane where its file lists none. */
const controlPlaneTaint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }

/** Labels and taints of a control plane, which kubelets may not give themselves. */
export function markControlPlane(
  { kubernetes: { context } }: HostCluster,
  name: string,
  taints: readonly JsonObject[] | undefined,
): void {
  const type = context.resources.builtin('nodes')
  const mark = (live: KubeObject) => {
    const spec = objectAt(live, 'spec')
    const own = taints ?? [controlPlaneTaint]
    const listed = spec['taints']
    const isOwn = (taint: unknown) =>
      own.some((one) => JSON.stringify(one) === JSON.stringify(taint))
    const others = Array.isArray(listed) ? listed.filter((taint) => !isOwn(taint)) : []
    return {
      ...withMeta(live, {
        labels: {
          ...live.metadata.labels,
          'node-role.kubernetes.io/control-plane': '',
          'node.kubernetes.io/exclude-from-external-load-balancers': '',
        },
      }),
      spec: { ...spec, taints: [...others, ...own] },
    }
  }
  if (context.store.get('nodes', name)) updateObject(context, type, name, mark, options)
}

/** CoreDNS, and kube-proxy unless somebody else does what it would. */
export function putAddons(cluster: HostCluster, configuration: JsonObject, version: string): void {
  const { coredns = '', 'kube-proxy': proxy = '' } = imagesOf(version)
  const range = textAt(configuration, 'networking', 'serviceSubnet') || '10.96.0.0/12'
  if (!flagAt(configuration, 'dns', 'disabled')) {
    for (const object of dnsObjects(range, coredns)) putObject(cluster, object)
    putObject(cluster, configMap('coredns', { Corefile: '.:53 {\n    kubernetes\n}\n' }))
  }
  if (flagAt(configuration, 'proxy', 'disabled')) return
  for (const object of kubeProxy(proxy)) putObject(cluster, object)
}

function kubeProxy(image: string): KubeObject[] {
  const labels = { 'k8s-app': 'kube-proxy' }
  const metadata = { name: 'kube-proxy', namespace: system, labels }
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'kube-proxy', namespace: system },
    },
    configMap('kube-proxy', { 'config.conf': 'kind: KubeProxyConfiguration\n' }),
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata,
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: 'kube-proxy',
            priorityClassName: 'system-node-critical',
            hostNetwork: true,
            nodeSelector: { 'kubernetes.io/os': 'linux' },
            tolerations: [{ operator: 'Exists' }],
            containers: [{ name: 'kube-proxy', image }],
          },
        },
      },
    },
  ]
}
