import { trackUpdate } from '../apply/track-update.ts'
import { kindRules } from '../kinds/kind-rules-table.ts'
import {
  ApiError,
  alreadyExists,
  badRequest,
  type FieldProblem,
  forbidden,
  invalid,
  notFound,
} from '../model/api-error.ts'
import { type KubeObject, objectKey, withMeta } from '../model/kube-object.ts'
import { textAt } from '../model/read-json.ts'
import { hasStatus, type ResourceType, resourceId } from '../model/resource-type.ts'
import { type ApiContext, nameSuffix, newUid, timestamp, type WriteOptions } from './api-context.ts'

/** Creates an object. Throws 404 (no namespace), 409 (exists), 403 (refused), 422 (invalid). */
export function createObject(
  context: ApiContext,
  type: ResourceType,
  object: KubeObject,
  options: WriteOptions,
): KubeObject {
  if (object.metadata.resourceVersion !== undefined) {
    throw badRequest('resourceVersion should not be set on objects to be created')
  }
  const ready = readyToCreate(context, type, object)
  const tracked = trackUpdate(type, undefined, ready, {
    manager: options.manager,
    subresource: undefined,
    time: timestamp(context),
  })
  return options.dryRun ? tracked : context.store.put(resourceId(type), tracked)
}

/** The object as it will be stored, all but its owners of fields. */
export function readyToCreate(
  context: ApiContext,
  type: ResourceType,
  object: KubeObject,
): KubeObject {
  const named = withName(context, object)
  const { name } = named.metadata
  requireNamespace(context, type, named)
  if (context.store.get(resourceId(type), objectKey(named))) throw alreadyExists(type, name)
  const rules = kindRules(type)
  const { status: _, ...withoutStatus } = named
  const fresh = withMeta(hasStatus(type) ? { ...withoutStatus, ...identity(named) } : named, {
    uid: newUid(context),
    creationTimestamp: timestamp(context),
    generation: rules.generations ? 1 : undefined,
    resourceVersion: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  })
  const filled = rules.defaults?.(fresh) ?? fresh
  const made = rules.onCreate?.(context, filled) ?? filled
  const problems = [...nameProblems(type, name), ...(rules.validate?.(made, undefined) ?? [])]
  if (problems.length > 0) throw invalid(type, name, problems)
  return made
}

function identity({ apiVersion, kind, metadata }: KubeObject) {
  return { apiVersion, kind, metadata }
}

function withName(context: ApiContext, object: KubeObject): KubeObject {
  const prefix = textAt(object, 'metadata', 'generateName')
  if (object.metadata.name !== '' || prefix === '') return object
  return withMeta(
    { ...object, metadata: { ...object.metadata, name: prefix + nameSuffix(context) } },
    {},
  )
}

function requireNamespace(context: ApiContext, type: ResourceType, object: KubeObject): void {
  if (!type.namespaced) return
  const { namespace = '', name } = object.metadata
  const found = context.store.get('namespaces', namespace)
  if (!found) throw notFound(context.resources.builtin('namespaces'), namespace)
  if (found.metadata.deletionTimestamp === undefined) return
  throw forbidden(
    type,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  )
}

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

function nameProblems(type: ResourceType, name: string): FieldProblem[] {
  if (name === '') {
    const message = 'Required value: name or generateName is required'
    return [{ field: 'metadata.name', reason: 'FieldValueRequired', message }]
  }
  const free = type.group === 'rbac.authorization.k8s.io'
  if (free ? !/[/%]/.test(name) : subdomain.test(name) && name.length <= 253) return []
  const message = `Invalid value: "${name}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character`
  return [{ field: 'metadata.name', reason: 'FieldValueInvalid', message }]
}

/** The object, or undefined where a controller asks again for what it made before. */
export function createUnlessThere(
  context: ApiContext,
  type: ResourceType,
  object: KubeObject,
  options: WriteOptions,
): KubeObject | undefined {
  try {
    return createObject(context, type, object, options)
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'AlreadyExists') return undefined
    throw error
  }
}
