import type { KubeObject } from '../model/kube-object.ts'
import { apiVersionOf, hasStatus, type ResourceType } from '../model/resource-type.ts'
import { differenceOf, unionOf } from './field-set.ts'
import {
  type Ownership,
  ownable,
  reachable,
  readOwnership,
  sameWriter,
  type Writer,
  writeOwnership,
} from './managed-fields.ts'
import { compareValues } from './structured-merge.ts'

export interface UpdateBy {
  readonly manager: string
  readonly subresource: string | undefined
  /** RFC 3339, in seconds. */
  readonly time: string
}

/**
 * Writes down who owns what after an update (not an apply): the writer owns what it set or changed,
 * and everybody else loses it. An object that never had owners gets none by being changed.
 */
export function trackUpdate(
  type: ResourceType,
  live: KubeObject | undefined,
  next: KubeObject,
  by: UpdateBy,
): KubeObject {
  const before = readOwnership(next.metadata.managedFields === undefined ? live : next)
  if (live && before.length === 0) return writeOwnership(next, [])
  const { added, modified, removed } = compareValues(type.schema, live ?? {}, next)
  const subresource = hasStatus(type) ? by.subresource : undefined
  const touched = reachable(ownable(unionOf(added, modified)), subresource)
  const writer: Writer = {
    manager: by.manager,
    operation: 'Update',
    apiVersion: apiVersionOf(type),
    ...(by.subresource === undefined ? {} : { subresource: by.subresource }),
  }
  const others = before
    .filter((owner) => !sameWriter(owner.writer, writer))
    .map((owner) => ({
      ...owner,
      fields: differenceOf(differenceOf(owner.fields, unionOf(added, modified)), removed),
    }))
  const mine = before.find((owner) => sameWriter(owner.writer, writer))
  const fields = differenceOf(unionOf(mine?.fields ?? touched, touched), removed)
  const changed = touched.children.size > 0 || mine === undefined
  const own: Ownership = { writer, fields, time: changed ? by.time : mine.time }
  return writeOwnership(next, [...others, own])
}
