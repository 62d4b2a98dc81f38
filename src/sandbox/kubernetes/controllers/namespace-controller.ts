import { deleteObject } from '../api/delete-object.ts'
import { objectKey } from '../model/kube-object.ts'
import { resourceId } from '../model/resource-type.ts'
import { make } from './bootstrap-objects.ts'
import type { ClusterContext } from './cluster-context.ts'
import type { Controller } from './controller.ts'

/** Gives every namespace its default account and the CA, and empties those that are to go. */
export function namespaceController(context: ClusterContext): Controller {
  const { store } = context.api
  return {
    name: 'namespace-controller',
    concerns: ({ resource, object, type }) => {
      if (resource === 'namespaces') return type === 'DELETED' ? [] : [object.metadata.name]
      const { namespace } = object.metadata
      if (namespace === undefined || type !== 'DELETED') return []
      return isTerminating(context, namespace) ? [namespace] : []
    },
    reconcile: (name) => {
      if (!store.get('namespaces', name)) return undefined
      if (isTerminating(context, name)) empty(context, name)
      else furnish(context, name)
      return undefined
    },
  }
}

function isTerminating({ api }: ClusterContext, name: string): boolean {
  return api.store.get('namespaces', name)?.metadata.deletionTimestamp !== undefined
}

function furnish(context: ClusterContext, namespace: string): void {
  make(context, 'serviceaccounts', { metadata: { name: 'default', namespace } })
  make(context, 'configmaps', {
    metadata: { name: 'kube-root-ca.crt', namespace },
    data: { 'ca.crt': context.ca.crt },
  })
}

function empty({ api }: ClusterContext, namespace: string): void {
  let left = 0
  const stored = new Map(api.resources.all().map((type) => [resourceId(type), type]))
  for (const [id, type] of stored) {
    if (!type.namespaced || type.virtual) continue
    for (const object of api.store.list(id, namespace)) {
      const marked = object.metadata.deletionTimestamp !== undefined
      const { gone } = marked ? { gone: false } : deleteObject(api, type, objectKey(object))
      if (!gone) left++
    }
  }
  const { finalizers = [] } = api.store.get('namespaces', namespace)?.metadata ?? {}
  if (left === 0 && finalizers.length === 0) api.store.remove('namespaces', namespace)
}
