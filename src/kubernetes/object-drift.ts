import { jsonEquals } from '../lib/canonical-json.ts'
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts'
import type { KubernetesObject } from '../lib/kubernetes-object.ts'

/**
 * Paths of the fields in which a live object differs from what applying would make of it. What a
 * server keeps for itself does not count. Paths only: the values may be secret.
 */
export function objectDrift(live: KubernetesObject, applied: KubernetesObject): string[] {
  return differences(withoutBookkeeping(live), withoutBookkeeping(applied), '')
}

function withoutBookkeeping({ metadata, status: _status, ...rest }: KubernetesObject): JsonObject {
  const {
    managedFields: _fields,
    resourceVersion: _version,
    generation: _generation,
    annotations,
    ...meta
  } = metadata
  const { 'deprecated.daemonset.template.generation': _old, ...kept } = isJsonObject(annotations)
    ? annotations
    : {}
  return { ...rest, metadata: { ...meta, annotations: kept } }
}

function differences(a: Json | undefined, b: Json | undefined, path: string): string[] {
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
    return keys.flatMap((key) => differences(a[key], b[key], path === '' ? key : `${path}.${key}`))
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    return a.flatMap((item, index) => differences(item, b[index], `${path}[${index}]`))
  }
  if (a === undefined || b === undefined) return a === b ? [] : [path]
  return jsonEquals(a, b) ? [] : [path]
}
