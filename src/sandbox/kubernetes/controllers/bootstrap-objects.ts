import type { JsonObject } from '../../../lib/json.ts'
import { cidrHost, parseCidr } from '../../ip-range.ts'
import { createUnlessThere } from '../api/create-object.ts'
import type { ObjectMeta } from '../model/kube-object.ts'
import type { ClusterContext } from './cluster-context.ts'

const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

/** What is in every cluster from its first moment on. */
export function bootstrapObjects(context: ClusterContext): void {
  for (const name of namespaces) make(context, 'namespaces', { metadata: { name } })
  const range = parseCidr(context.api.serviceCidr)
  make(context, 'services', {
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: {
      clusterIP: range === undefined ? 'None' : cidrHost(range, 1),
      ports: [{ name: 'https', port: 443, targetPort: 6443 }],
    },
  })
  for (const name of ['system-cluster-critical', 'system-node-critical']) {
    make(context, 'priorityclasses.scheduling.k8s.io', {
      metadata: { name },
      value: name === 'system-node-critical' ? 2_000_001_000 : 2_000_000_000,
      preemptionPolicy: 'PreemptLowerPriority',
    })
  }
  make(context, 'clusterroles.rbac.authorization.k8s.io', {
    metadata: { name: 'cluster-admin' },
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ],
  })
}

/** Makes an object in the cluster's own name, unless it is there. */
export function make(
  { api }: Pick<ClusterContext, 'api'>,
  resource: string,
  fields: JsonObject & { readonly metadata: ObjectMeta },
): void {
  const type = api.resources.builtin(resource)
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`
  const object = { apiVersion, kind: type.kind, ...fields }
  createUnlessThere(api, type, object, { manager: 'kube-apiserver' })
}
