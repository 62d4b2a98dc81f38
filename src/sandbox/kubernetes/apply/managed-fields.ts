import { isJsonObject, type JsonObject } from '../../../lib/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../model/kube-object.ts'
import { objectsAt, textAt } from '../model/read-json.ts'
import {
  decodeSet,
  differenceOf,
  encodeSet,
  type FieldSet,
  fieldSet,
  isEmptySet,
  noFields,
  thisField,
  withoutTrees,
} from './field-set.ts'

/** Who writes, and by which way: two entries of managedFields are one where all of these are equal. */
export interface Writer {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource?: string
}

export interface Ownership {
  readonly writer: Writer
  readonly fields: FieldSet
  readonly time: string
}

export function sameWriter(a: Writer, b: Writer): boolean {
  return (
    a.manager === b.manager &&
    a.operation === b.operation &&
    (a.operation === 'Apply' || a.apiVersion === b.apiVersion) &&
    (a.subresource ?? '') === (b.subresource ?? '')
  )
}

export function readOwnership(object: JsonObject | undefined): Ownership[] {
  return objectsAt(object, 'metadata', 'managedFields').flatMap((entry) => {
    const { fieldsV1 } = entry
    if (!isJsonObject(fieldsV1)) return []
    const subresource = textAt(entry, 'subresource')
    const writer: Writer = {
      manager: textAt(entry, 'manager'),
      operation: textAt(entry, 'operation') === 'Apply' ? 'Apply' : 'Update',
      apiVersion: textAt(entry, 'apiVersion'),
      ...(subresource === '' ? {} : { subresource }),
    }
    return [{ writer, fields: decodeSet(fieldsV1), time: textAt(entry, 'time') }]
  })
}

/** The object with these owners written down; those that own nothing are left out. */
export function writeOwnership(object: KubeObject, owners: readonly Ownership[]): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata
  const entries = owners
    .filter(({ fields }) => !isEmptySet(fields))
    .sort(byOperationAndTime)
    .map(({ writer, fields, time }): ManagedFieldsEntry => {
      const { subresource, ...who } = writer
      const where = subresource === undefined ? {} : { subresource }
      return { ...who, fieldsType: 'FieldsV1', fieldsV1: encodeSet(fields), time, ...where }
    })
  return {
    ...object,
    metadata: {
      ...metadata,
      name: object.metadata.name,
      ...(entries.length === 0 ? {} : { managedFields: entries }),
    },
  }
}

function byOperationAndTime(a: Ownership, b: Ownership): number {
  const sortKey = ({ writer, time }: Ownership) => `${writer.operation} ${time} ${writer.manager}`
  return sortKey(a) < sortKey(b) ? -1 : 1
}

const identity = ['name', 'namespace', 'creationTimestamp', 'uid', 'generation', 'resourceVersion']
const kept = ['selfLink', 'managedFields', 'deletionTimestamp', 'deletionGracePeriodSeconds']
const unowned = fieldSet(false, [
  ['f:apiVersion', thisField],
  ['f:kind', thisField],
  [
    'f:metadata',
    fieldSet(
      true,
      [...identity, ...kept].map((name) => [`f:${name}`, thisField] as const),
    ),
  ],
])

/** Without the fields that belong to the server, and nobody can own. */
export function ownable(fields: FieldSet): FieldSet {
  return differenceOf(fields, unowned)
}

/**
 * Without the fields that a write through this path does not touch: the status for the object itself,
 * everything else for its status subresource.
 */
export function reachable(fields: FieldSet, subresource: string | undefined): FieldSet {
  const status = fieldSet(false, [['f:status', thisField]])
  // Who scales writes into the spec.
  if (subresource === undefined || subresource === 'scale') return withoutTrees(fields, status)
  const below = fields.children.get('f:status')
  return below ? fieldSet(false, [['f:status', below]]) : noFields
}
