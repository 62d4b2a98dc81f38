import { isDeepStrictEqual } from 'node:util'
import { applyConfig } from '../apply/apply-config.ts'
import { readOwnership, writeOwnership } from '../apply/managed-fields.ts'
import { badRequest, notFound } from '../model/api-error.ts'
import { type KubeObject, objectKey, withMeta } from '../model/kube-object.ts'
import { hasStatus, type ResourceType, resourceId } from '../model/resource-type.ts'
import { type ApiContext, timestamp, type WriteOptions } from './api-context.ts'
import { readyToCreate } from './create-object.ts'
import { admitUpdate, writeUpdate } from './update-object.ts'

/**
 * Server-side apply: creates the object or lays the config over it. Applied again, it changes
 * nothing. Throws 409 on conflicts unless forced, and what creating and updating throw.
 */
export function applyObject(
  context: ApiContext,
  type: ResourceType,
  config: KubeObject,
  options: WriteOptions & { readonly force: boolean },
): { created: boolean; object: KubeObject } {
  if (config.metadata.managedFields !== undefined) {
    throw badRequest('metadata.managedFields must be nil')
  }
  const by = {
    manager: options.manager,
    force: options.force,
    subresource: options.subresource,
    time: timestamp(context),
  }
  const live = context.store.get(resourceId(type), objectKey(config))
  const { resourceVersion } = config.metadata
  const applied = withoutServerFields(type, config, options)
  if (!live) {
    if (options.subresource !== undefined) throw notFound(type, config.metadata.name)
    const bare = bareIdentity(config)
    const made = applyConfig(type, bare, applied, by)
    const owners = readOwnership(made)
    const ready = writeOwnership(readyToCreate(context, type, made), owners)
    const object = options.dryRun ? ready : context.store.put(resourceId(type), ready)
    return { created: true, object }
  }
  const merged = applyConfig(type, live, applied, by)
  const wanted = withMeta(merged, { resourceVersion })
  const next = admitUpdate(type, live, wanted, options)
  if (isDeepStrictEqual(live, next)) return { created: false, object: live }
  return { created: false, object: writeUpdate(context, type, live, next, options) }
}

function bareIdentity({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace } = metadata
  return { apiVersion, kind, metadata: namespace === undefined ? { name } : { name, namespace } }
}

function withoutServerFields(
  type: ResourceType,
  config: KubeObject,
  { subresource }: WriteOptions,
): KubeObject {
  const clean = withMeta(config, {
    creationTimestamp: undefined,
    uid: undefined,
    resourceVersion: undefined,
    generation: undefined,
  })
  const { status, ...body } = clean
  if (subresource === 'status') {
    return status === undefined ? bareIdentity(clean) : { ...bareIdentity(clean), status }
  }
  return hasStatus(type) ? { ...body, ...identityOf(clean) } : clean
}

function identityOf({ apiVersion, kind, metadata }: KubeObject) {
  return { apiVersion, kind, metadata }
}
