import { ClusterError } from '../lib/cluster-error.ts'
import type { Json } from '../lib/json.ts'
import {
  isKubernetesObject,
  type KubernetesObject,
  type ObjectRef,
} from '../lib/kubernetes-object.ts'
import { type ApiResource, type Discovery, pathOf } from './discovery.ts'

/** The resource of a kind. Throws `kubernetes-refused` when this cluster has no such kind. */
export function resourceOf(
  discovery: Discovery,
  { apiVersion, kind }: { apiVersion: string; kind: string },
): ApiResource {
  const resource = discovery.resourceOf(apiVersion, kind)
  if (resource) return resource
  throw new ClusterError(
    'kubernetes-refused',
    `this cluster does not know the kind ${kind} of ${apiVersion}`,
    { operation: 'look up a kind', target: `${apiVersion}/${kind}` },
  )
}

/** Where an object is found. */
export function objectPath(discovery: Discovery, ref: ObjectRef): string {
  const { plural, namespaced } = resourceOf(discovery, ref)
  const scope = namespaced ? `/namespaces/${encodeURIComponent(ref.namespace ?? 'default')}` : ''
  return `${pathOf(ref.apiVersion)}${scope}/${plural}/${encodeURIComponent(ref.name)}`
}

/** What the API answered, where that must be an object. */
export function asObject(value: Json): KubernetesObject {
  if (isKubernetesObject(value)) return value
  throw new ClusterError('kubernetes-refused', 'Kubernetes answered with something not an object')
}

/** The items of a list come without their own kind. */
export function asListItem(
  item: Json,
  { apiVersion, kind }: { apiVersion: string; kind: string },
): KubernetesObject {
  return asObject(typeof item === 'object' && item !== null ? { apiVersion, kind, ...item } : item)
}
