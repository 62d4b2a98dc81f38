import { isJsonObject, type JsonObject } from '../lib/json.ts'
import type { KubernetesObject } from '../lib/kubernetes-object.ts'
import { memberLabel, setId } from './set-inventory.ts'

/**
 * An object as it is applied: with the label of its set (an object without fields of its own gets no
 * managed fields, so the label alone tells whose it is), with a namespace if and only if its kind
 * lives in one, and without what only a server may write.
 */
export function prepareObject(
  object: KubernetesObject,
  set: { readonly name: string; readonly namespace: string },
  namespaced: boolean,
): KubernetesObject {
  const { status: _status, metadata, ...rest } = object
  const { namespace, creationTimestamp: _created, managedFields: _fields, ...meta } = metadata
  const prepared: JsonObject & { name: string } = {
    ...meta,
    name: metadata.name,
    ...(namespaced ? { namespace: namespace ?? set.namespace } : {}),
    labels: {
      ...(isJsonObject(meta['labels']) ? meta['labels'] : {}),
      [memberLabel]: setId(set.name),
    },
  }
  return { ...rest, apiVersion: object.apiVersion, kind: object.kind, metadata: prepared }
}
