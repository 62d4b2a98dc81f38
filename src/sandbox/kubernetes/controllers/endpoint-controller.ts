import type { JsonObject } from '../../../lib/json.ts'
import { createUnlessThere } from '../api/create-object.ts'
import { deleteObject } from '../api/delete-object.ts'
import { isReady } from '../api/evict-pod.ts'
import { type KubeObject, objectKey } from '../model/kube-object.ts'
import { flagAt, objectsAt, textAt, textMapAt } from '../model/read-json.ts'
import { type ClusterContext, change } from './cluster-context.ts'
import type { Controller } from './controller.ts'
import { ownerReference } from './owned-pods.ts'

const slices = 'endpointslices.discovery.k8s.io'

/** The endpoint controllers: which pods answer for each Service. */
export function endpointController(context: ClusterContext): Controller {
  const { store } = context.api
  return {
    name: 'endpoint-controller',
    concerns: ({ resource, object, type }) => {
      if (resource === 'services') return [objectKey(object)]
      if (resource !== 'pods' || type === 'ADDED') return []
      return store
        .list('services', object.metadata.namespace)
        .filter((service) => selects(service, object))
        .map(objectKey)
    },
    reconcile: (key) => {
      const service = store.get('services', key)
      if (!service) removeEndpoints(context, key)
      else if (Object.keys(textMapAt(service, 'spec', 'selector')).length > 0)
        refresh(context, service)
      return undefined
    },
  }
}

function selects(service: KubeObject, pod: KubeObject): boolean {
  const selector = Object.entries(textMapAt(service, 'spec', 'selector'))
  const labels = pod.metadata.labels ?? {}
  return selector.length > 0 && selector.every(([key, value]) => labels[key] === value)
}

function refresh(context: ClusterContext, service: KubeObject): void {
  const { api } = context
  const { name, namespace = 'default' } = service.metadata
  const pods = api.store
    .list('pods', namespace)
    .filter((pod) => selects(service, pod) && textAt(pod, 'status', 'podIP') !== '')
  const ready = pods.filter(isReady)
  const labels = {
    'kubernetes.io/service-name': name,
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
  }
  put(
    context,
    'endpoints',
    { name, namespace },
    {
      subsets:
        ready.length === 0
          ? []
          : [{ addresses: ready.map(address), ports: portsOf(service, ready) }],
    },
  )
  const metadata = {
    name: `${name}-slice`,
    namespace,
    labels,
    ownerReferences: [ownerReference(service)],
  }
  put(context, slices, metadata, {
    addressType: 'IPv4',
    ports: portsOf(service, pods),
    endpoints: pods.map((pod) => ({
      addresses: [textAt(pod, 'status', 'podIP')],
      conditions: {
        ready: isReady(pod),
        serving: isReady(pod),
        terminating: pod.metadata.deletionTimestamp !== undefined,
      },
      nodeName: textAt(pod, 'spec', 'nodeName'),
      targetRef: reference(pod),
    })),
  })
}

function address(pod: KubeObject): JsonObject {
  return {
    ip: textAt(pod, 'status', 'podIP'),
    nodeName: textAt(pod, 'spec', 'nodeName'),
    targetRef: reference(pod),
  }
}

function reference({ metadata }: KubeObject): JsonObject {
  const { name, namespace = 'default', uid = '' } = metadata
  return { kind: 'Pod', name, namespace, uid }
}

/** The service's ports as its pods have them: names become the numbers of their containers. */
function portsOf(service: KubeObject, pods: readonly KubeObject[]): JsonObject[] {
  const ofPods = pods.flatMap((pod) =>
    objectsAt(pod, 'spec', 'containers').flatMap((container) => objectsAt(container, 'ports')),
  )
  return objectsAt(service, 'spec', 'ports').map((port) => {
    const target = port['targetPort']
    const named = ofPods.find((one) => typeof target === 'string' && textAt(one, 'name') === target)
    const number = named?.['containerPort'] ?? (typeof target === 'number' ? target : port['port'])
    return { name: textAt(port, 'name'), port: number ?? 0, protocol: textAt(port, 'protocol') }
  })
}

function put(
  { api }: ClusterContext,
  resource: string,
  metadata: JsonObject & { name: string; namespace: string },
  fields: JsonObject,
): void {
  const type = api.resources.builtin(resource)
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`
  const object: KubeObject = { apiVersion, kind: type.kind, metadata, ...fields }
  const key = objectKey(object)
  if (api.store.get(resource, key))
    change({ api }, resource, key, (live) => ({ ...live, ...fields }))
  else createUnlessThere(api, type, object, { manager: 'kube-controller-manager' })
}

function removeEndpoints({ api }: ClusterContext, key: string): void {
  const type = api.resources.builtin('endpoints')
  if (api.store.get('endpoints', key)) deleteObject(api, type, key)
}

/** Whether a Service has somebody who answers for it. */
export function hasEndpoints({ api }: ClusterContext, key: string): boolean {
  const service = api.store.get('services', key)
  if (service && flagAt(service, 'spec', 'publishNotReadyAddresses')) return true
  return objectsAt(api.store.get('endpoints', key), 'subsets').length > 0
}
