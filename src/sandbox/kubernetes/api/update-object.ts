import { isDeepStrictEqual } from 'node:util'
import { trackUpdate } from '../apply/track-update.ts'
import { kindRules } from '../kinds/kind-rules-table.ts'
import { badRequest, invalid, modified, notFound } from '../model/api-error.ts'
import { type KubeObject, objectKey, withMeta } from '../model/kube-object.ts'
import { hasStatus, type ResourceType, resourceId } from '../model/resource-type.ts'
import { type ApiContext, timestamp, type WriteOptions } from './api-context.ts'

/**
 * Changes an object by a function of what is there now. Throws 404, 409 (the change speaks of another
 * resourceVersion), 422. A change that changes nothing writes nothing.
 */
export function updateObject(
  context: ApiContext,
  type: ResourceType,
  key: string,
  change: (live: KubeObject) => KubeObject,
  options: WriteOptions,
): KubeObject {
  const live = context.store.get(resourceId(type), key)
  if (!live) throw notFound(type, key.slice(key.indexOf('/') + 1))
  const next = admitUpdate(type, live, change(live), options)
  if (sameAs(live, next)) return live
  const tracked = trackUpdate(type, live, next, {
    manager: options.manager,
    subresource: options.subresource === 'approval' ? undefined : options.subresource,
    time: timestamp(context),
  })
  return writeUpdate(context, type, live, tracked, options)
}

/** The change as far as this path lets it through, with the server's own fields and its defaults. */
export function admitUpdate(
  type: ResourceType,
  live: KubeObject,
  wanted: KubeObject,
  options: WriteOptions,
): KubeObject {
  const { name, resourceVersion, uid } = wanted.metadata
  if (name !== live.metadata.name) {
    throw badRequest(
      `the name of the object (${name}) does not match the name on the URL (${live.metadata.name})`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion) {
    throw modified(type, name)
  }
  if (uid !== undefined && uid !== live.metadata.uid) throw modified(type, name)
  const rules = kindRules(type)
  const through = throughRule(type, live, wanted, options)
  const kept = keepServerFields(live, through)
  const filled = rules.defaults?.(kept) ?? kept
  const problems = rules.validate?.(filled, live) ?? []
  if (problems.length > 0) throw invalid(type, name, problems)
  const bumped = rules.generations && !sameBody(live, filled)
  return bumped ? withMeta(filled, { generation: (live.metadata.generation ?? 0) + 1 }) : filled
}

function throughRule(
  type: ResourceType,
  live: KubeObject,
  wanted: KubeObject,
  { subresource }: WriteOptions,
): KubeObject {
  const { status, ...body } = wanted
  if (subresource === 'status' || subresource === 'approval') {
    return status === undefined ? live : { ...live, status }
  }
  if (!hasStatus(type)) return wanted
  const { status: liveStatus } = live
  const kept = { ...body, apiVersion: live.apiVersion, kind: live.kind, metadata: wanted.metadata }
  return liveStatus === undefined ? kept : { ...kept, status: liveStatus }
}

function keepServerFields(live: KubeObject, next: KubeObject): KubeObject {
  const { namespace, uid, creationTimestamp, generation, resourceVersion } = live.metadata
  const { deletionTimestamp, deletionGracePeriodSeconds } = live.metadata
  return withMeta(
    { ...next, apiVersion: live.apiVersion, kind: live.kind },
    {
      namespace,
      uid,
      creationTimestamp,
      generation,
      resourceVersion,
      deletionTimestamp,
      deletionGracePeriodSeconds,
    },
  )
}

function sameBody(a: KubeObject, b: KubeObject): boolean {
  const { metadata: metaA, status: statusA, ...bodyA } = a
  const { metadata: metaB, status: statusB, ...bodyB } = b
  return isDeepStrictEqual(bodyA, bodyB)
}

/** Clients may leave the owners out; that is no change. */
function sameAs(live: KubeObject, next: KubeObject): boolean {
  const managedFields = next.metadata.managedFields ?? live.metadata.managedFields
  return isDeepStrictEqual(live, withMeta(next, { managedFields }))
}

/** Stores a change; an object that is being deleted and has no finalizer left is removed instead. */
export function writeUpdate(
  context: ApiContext,
  type: ResourceType,
  live: KubeObject,
  next: KubeObject,
  { dryRun = false }: Pick<WriteOptions, 'dryRun'> = {},
): KubeObject {
  if (dryRun) return next
  if (isFinished(live, next)) {
    return context.store.remove(resourceId(type), objectKey(live)) ?? next
  }
  return context.store.put(resourceId(type), next)
}

function isFinished(live: KubeObject, next: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = next.metadata
  const had = (live.metadata.finalizers ?? []).length > 0
  return (
    deletionTimestamp !== undefined &&
    had &&
    finalizers.length === 0 &&
    deletionGracePeriodSeconds === 0
  )
}
