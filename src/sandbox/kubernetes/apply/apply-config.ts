import type { JsonObject } from '../../../lib/json.ts'
import { ApiError } from '../model/api-error.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { textAt } from '../model/read-json.ts'
import { apiVersionOf, type ResourceType } from '../model/resource-type.ts'
import type { Schema } from '../schema/schema.ts'
import {
  differenceOf,
  type FieldSet,
  intersectionOf,
  isEmptySet,
  pathsOf,
  unionOf,
  withNamedParents,
} from './field-set.ts'
import {
  type Ownership,
  ownable,
  reachable,
  readOwnership,
  sameWriter,
  type Writer,
  writeOwnership,
} from './managed-fields.ts'
import { compareValues, mergeApplied, ownedFields, removeFields } from './structured-merge.ts'

export interface ApplyBy {
  readonly manager: string
  readonly force: boolean
  readonly subresource: string | undefined
  /** RFC 3339, in seconds. */
  readonly time: string
}

interface Conflict {
  readonly writer: Writer
  readonly fields: FieldSet
}

/**
 * Server-side apply: lays `config` over `live`, takes away what this manager applied before and does
 * not any more, and writes down the owners. Throws 409 with a cause for each field that another
 * manager owns with another value, unless forced. `live` must be the bare identity for a new object.
 */
export function applyConfig(
  type: ResourceType,
  live: KubeObject,
  config: KubeObject,
  by: ApplyBy,
): KubeObject {
  const { schema } = type
  const writer: Writer = {
    manager: by.manager,
    operation: 'Apply',
    apiVersion: apiVersionOf(type),
    ...(by.subresource === undefined ? {} : { subresource: by.subresource }),
  }
  const owners = ownersBefore(type, live, by.time)
  const mine = owners.find((owner) => sameWriter(owner.writer, writer))
  const others = owners.filter((owner) => owner !== mine)
  const wanted = ownedFields(schema, config)
  const merged = merge(schema, live, config)
  const managed = unionOf(wanted, ...others.map((owner) => owner.fields))
  const next = mine ? prune(schema, merged, mine.fields, managed) : merged

  const { added, modified, removed } = compareValues(schema, live, next)
  const touched = unionOf(added, modified)
  const conflicts = others.flatMap(({ writer: who, fields }) => {
    const clash = intersectionOf(fields, touched)
    return isEmptySet(clash) ? [] : [{ writer: who, fields: clash }]
  })
  if (conflicts.length > 0 && !by.force && !isOwnMigration(schema, live, by, conflicts)) {
    throw conflictError(conflicts)
  }
  const left = others.map((owner) => ({
    ...owner,
    fields: differenceOf(differenceOf(owner.fields, touched), removed),
  }))
  const fields = reachable(ownable(wanted), by.subresource)
  const time = mine && isEmptySet(touched) && isEmptySet(removed) ? mine.time : by.time
  return writeOwnership(next, [...left, { writer, fields, time }])
}

/** Objects that nobody's applying made belong, before the first apply, to whoever made them. */
function ownersBefore(type: ResourceType, live: KubeObject, time: string): Ownership[] {
  const owners = readOwnership(live)
  if (owners.length > 0 || live.metadata.uid === undefined) return owners
  const writer: Writer = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion: apiVersionOf(type),
  }
  return [{ writer, fields: ownable(ownedFields(type.schema, live)), time }]
}

function merge(schema: Schema, live: KubeObject, config: KubeObject): KubeObject {
  return toObject(live, mergeApplied(schema, live, config))
}

function prune(schema: Schema, merged: KubeObject, last: FieldSet, managed: FieldSet): KubeObject {
  const present = withNamedParents(ownedFields(schema, merged))
  const unmanaged = differenceOf(present, withNamedParents(managed))
  const gone = intersectionOf(unmanaged, withNamedParents(last))
  return toObject(merged, removeFields(schema, merged, gone))
}

function toObject(like: KubeObject, value: unknown): KubeObject {
  if (!isLike(value)) throw new Error(`a merge of ${like.kind} is no object`)
  return value
}

function isLike(value: unknown): value is KubeObject {
  return typeof value === 'object' && value !== null && 'metadata' in value
}

/**
 * kubectl may go on, server-side, with what it applied on its own side before: the annotation that it
 * left says which fields those are.
 */
function isOwnMigration(
  schema: Schema,
  live: KubeObject,
  by: ApplyBy,
  conflicts: readonly Conflict[],
): boolean {
  const last = textAt(live, 'metadata', 'annotations', lastAppliedAnnotation)
  if (by.manager !== 'kubectl' || last === '') return false
  const config: JsonObject = JSON.parse(last)
  const allowed = ownedFields(schema, config)
  return conflicts.every(({ fields }) => isEmptySet(differenceOf(fields, allowed)))
}

const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

function conflictError(conflicts: readonly Conflict[]): ApiError {
  const found = conflicts.flatMap(({ writer, fields }) =>
    pathsOf(fields).map((path) => ({ who: showWriter(writer), path })),
  )
  const causes = found.map(({ who, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${who}`,
    field: path,
  }))
  const [first] = found
  const message =
    found.length === 1 && first
      ? `Apply failed with 1 conflict: conflict with ${first.who}: ${first.path}`
      : `Apply failed with ${found.length} conflicts: ${byWriter(found)}`
  return new ApiError(409, 'Conflict', message, { causes })
}

function byWriter(found: readonly { who: string; path: string }[]): string {
  return [...new Set(found.map(({ who }) => who))]
    .sort()
    .flatMap((who) => [
      `conflicts with ${who}:`,
      ...found.filter((one) => one.who === who).map(({ path }) => `- ${path}`),
    ])
    .join('\n')
}

function showWriter({ manager, operation, apiVersion, subresource }: Writer): string {
  const name = JSON.stringify(manager)
  const through = subresource === undefined ? name : `${name} with subresource "${subresource}"`
  return operation === 'Update' ? `${through} using ${apiVersion}` : through
}
