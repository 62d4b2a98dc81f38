import { isJsonObject, type Json, type JsonObject } from './json.ts'

/**
 * One object of Kubernetes' API as plain JSON: nothing is ever lost by passing through a type that does
 * not know a field. Here because the domains that render objects and those that apply them must share it.
 */
export interface KubernetesObject extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

export interface ObjectMeta extends JsonObject {
  readonly name: string
}

/** Names one object. `namespace` is absent for kinds that live in none. */
export interface ObjectRef {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name: string
}

export function isKubernetesObject(value: unknown): value is KubernetesObject {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return false
  return (
    typeof value['apiVersion'] === 'string' &&
    typeof value['kind'] === 'string' &&
    typeof value['metadata']['name'] === 'string'
  )
}

export function refOf(object: KubernetesObject): ObjectRef {
  const namespace = object.metadata['namespace']
  const { apiVersion, kind } = object
  const { name } = object.metadata
  return typeof namespace === 'string'
    ? { apiVersion, kind, namespace, name }
    : { apiVersion, kind, name }
}

/** `DaemonSet kube-system/cilium`, as people name objects. */
export function describeRef(ref: ObjectRef): string {
  return `${ref.kind} ${ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`}`
}

/** The value at a path of keys and positions; undefined where the way ends. */
export function fieldAt(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let at: Json | undefined = value
  for (const part of path) {
    if (typeof part === 'number') at = Array.isArray(at) ? at[part] : undefined
    else at = isJsonObject(at) ? at[part] : undefined
  }
  return at
}

export function textAt(value: Json | undefined, ...path: (string | number)[]): string | undefined {
  const found = fieldAt(value, ...path)
  return typeof found === 'string' ? found : undefined
}

export function numberAt(
  value: Json | undefined,
  ...path: (string | number)[]
): number | undefined {
  const found = fieldAt(value, ...path)
  return typeof found === 'number' ? found : undefined
}

/** The list at a path; empty where there is none. */
export function listAt(value: Json | undefined, ...path: (string | number)[]): readonly Json[] {
  const found = fieldAt(value, ...path)
  return Array.isArray(found) ? found : []
}

/** The texts of the object at a path, such as labels; empty where there is none. */
export function textsAt(value: Json | undefined, ...path: string[]): Record<string, string> {
  const found = fieldAt(value, ...path)
  if (!isJsonObject(found)) return {}
  return Object.fromEntries(
    Object.entries(found).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}
