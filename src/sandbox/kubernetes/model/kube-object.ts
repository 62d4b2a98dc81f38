import type { JsonObject } from '../../../lib/json.ts'

export interface OwnerReference extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry extends JsonObject {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly fieldsType: 'FieldsV1'
  readonly fieldsV1: JsonObject
  readonly time?: string
  readonly subresource?: string
}

export interface ObjectMeta extends JsonObject {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly OwnerReference[]
  readonly managedFields?: readonly ManagedFieldsEntry[]
}

/**
 * An object of the API. Never changed in place: every write makes a new one, so that what a watch or
 * a controller holds stays as it was.
 */
export interface KubeObject extends JsonObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

/** The same object with other metadata; a value of undefined takes the field away. */
export function withMeta(
  object: KubeObject,
  changes: { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined },
): KubeObject {
  const entries = Object.entries({ ...object.metadata, ...changes })
  const kept = Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  return { ...object, metadata: { ...kept, name: object.metadata.name } }
}

export function withStatus(object: KubeObject, status: JsonObject): KubeObject {
  return { ...object, status }
}

export function withSpec(object: KubeObject, spec: JsonObject): KubeObject {
  return { ...object, spec }
}

/** `namespace/name`, or the name alone for what has no namespace. */
export function objectKey(object: KubeObject): string {
  const { namespace, name } = object.metadata
  return namespace === undefined ? name : `${namespace}/${name}`
}

/** The owner that controls it, as controllers understand it. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true)
}
