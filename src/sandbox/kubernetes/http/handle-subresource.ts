import type { JsonObject } from '../../../lib/json.ts'
import type { ApiContext, WriteOptions } from '../api/api-context.ts'
import { evictPod } from '../api/evict-pod.ts'
import { updateObject } from '../api/update-object.ts'
import { mergePatch } from '../apply/merge-patch.ts'
import { methodNotAllowed, notFound, unknownPath } from '../model/api-error.ts'
import { type KubeObject, objectKey, withMeta, withSpec } from '../model/kube-object.ts'
import { numberAt, objectAt, textAt } from '../model/read-json.ts'
import { type ResourceType, resourceId } from '../model/resource-type.ts'
import { type ApiReply, type ApiRequest, isDryRun, ok } from './api-request.ts'
import { readDeleteOptions } from './delete-options.ts'
import { present } from './list-objects.ts'
import { patchResource } from './patch-resource.ts'
import { podLog } from './pod-log.ts'
import { parseBody, readObject } from './read-object.ts'
import type { ResourcePath } from './resource-path.ts'

type NamedPath = ResourcePath & { readonly name: string }

/** Answers a request on a part of an object: its status, its scale, its eviction. Throws ApiError. */
export function handleSubresource(
  context: ApiContext,
  type: ResourceType,
  request: ApiRequest,
  path: NamedPath,
  options: WriteOptions,
): ApiReply {
  const { subresource = '' } = path
  if (!type.subresources.includes(subresource)) throw unknownPath()
  const key = path.namespace === undefined ? path.name : `${path.namespace}/${path.name}`
  const live = context.store.get(resourceId(type), key)
  if (!live) throw notFound(type, path.name)
  switch (subresource) {
    case 'status':
    case 'approval':
      return handlePart(context, type, request, path, { ...options, subresource })
    case 'scale':
      return handleScale(context, type, request, live, options)
    case 'eviction':
      return evict(context, request, live)
    case 'log':
      return podLog(context, request, live)
    case 'binding':
      return bind(context, type, request, live)
    case 'finalize':
      return finalize(context, type, request, live)
    default:
      throw unknownPath()
  }
}

function handlePart(
  context: ApiContext,
  type: ResourceType,
  request: ApiRequest,
  path: NamedPath,
  options: WriteOptions,
): ApiReply {
  const key = path.namespace === undefined ? path.name : `${path.namespace}/${path.name}`
  switch (request.method) {
    case 'GET':
      return ok(
        present(
          type,
          context.store.get(resourceId(type), key) ?? {
            apiVersion: '',
            kind: '',
            metadata: { name: '' },
          },
        ),
      )
    case 'PUT': {
      const { object } = readObject(type, request, path)
      return ok(
        present(
          type,
          updateObject(context, type, key, () => object, options),
        ),
      )
    }
    case 'PATCH':
      return patchResource(context, type, request, path, options)
    default:
      throw methodNotAllowed()
  }
}

function handleScale(
  context: ApiContext,
  type: ResourceType,
  request: ApiRequest,
  live: KubeObject,
  options: WriteOptions,
): ApiReply {
  if (request.method === 'GET') return ok(scaleOf(live))
  if (request.method !== 'PUT' && request.method !== 'PATCH') throw methodNotAllowed()
  const body = parseBody(request)
  const wanted = request.method === 'PUT' ? body : mergePatch(scaleOf(live), body)
  const replicas = numberAt(wanted, 'spec', 'replicas') ?? 0
  const change = (object: KubeObject) => withSpec(object, { ...objectAt(object, 'spec'), replicas })
  return ok(
    scaleOf(
      updateObject(context, type, objectKey(live), change, { ...options, subresource: 'scale' }),
    ),
  )
}

function scaleOf(object: KubeObject): JsonObject {
  const {
    name,
    namespace = '',
    uid = '',
    resourceVersion = '',
    creationTimestamp = '',
  } = object.metadata
  const labels = Object.entries(objectAt(object, 'spec', 'selector', 'matchLabels'))
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberAt(object, 'spec', 'replicas') ?? 0 },
    status: {
      replicas: numberAt(object, 'status', 'replicas') ?? 0,
      selector: labels.map(([label, value]) => `${label}=${value}`).join(','),
    },
  }
}

function evict(context: ApiContext, request: ApiRequest, pod: KubeObject): ApiReply {
  if (request.method !== 'POST') throw methodNotAllowed()
  const options = readDeleteOptions(objectAt(parseBody(request), 'deleteOptions'), request)
  evictPod(context, pod, { ...options, dryRun: options.dryRun || isDryRun(request) })
  return {
    code: 201,
    json: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
  }
}

function bind(
  context: ApiContext,
  type: ResourceType,
  request: ApiRequest,
  pod: KubeObject,
): ApiReply {
  const nodeName = textAt(parseBody(request), 'target', 'name')
  const change = (live: KubeObject) => withSpec(live, { ...objectAt(live, 'spec'), nodeName })
  updateObject(context, type, objectKey(pod), change, { manager: 'kube-scheduler' })
  return { code: 201, json: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' } }
}

/** Who finalizes a namespace says which of its finalizers are left; with none it goes. */
function finalize(
  context: ApiContext,
  type: ResourceType,
  request: ApiRequest,
  live: KubeObject,
): ApiReply {
  const spec = objectAt(parseBody(request), 'spec')
  const next = withMeta(withSpec(live, spec), {})
  const left = spec['finalizers']
  if (
    live.metadata.deletionTimestamp !== undefined &&
    (!Array.isArray(left) || left.length === 0)
  ) {
    return ok(context.store.remove(resourceId(type), objectKey(live)) ?? next)
  }
  return ok(context.store.put(resourceId(type), next))
}
