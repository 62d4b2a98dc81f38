import type { JsonObject } from '../../../lib/json.ts'
import type { ApiContext, WriteOptions } from '../api/api-context.ts'
import { createObject } from '../api/create-object.ts'
import { deleteObject } from '../api/delete-object.ts'
import { updateObject } from '../api/update-object.ts'
import { methodNotAllowed, notFound, unknownPath } from '../model/api-error.ts'
import { type KubeObject, objectKey } from '../model/kube-object.ts'
import { type ResourceType, resourceId } from '../model/resource-type.ts'
import { tableOf, wantsTable } from '../tables/table.ts'
import { answerReview } from './answer-review.ts'
import { type ApiReply, type ApiRequest, isDryRun, managerOf, ok } from './api-request.ts'
import { deleteOptions } from './delete-options.ts'
import { handleSubresource } from './handle-subresource.ts'
import { listJson, listPage, present, selectionOf } from './list-objects.ts'
import { patchResource } from './patch-resource.ts'
import { readObject } from './read-object.ts'
import type { ResourcePath } from './resource-path.ts'
import { watchObjects } from './watch-objects.ts'

/** Answers a request on a resource. Throws ApiError. */
export function handleResource(
  context: ApiContext,
  request: ApiRequest,
  path: ResourcePath,
): ApiReply {
  const type = context.resources.find(path.group, path.version, path.plural)
  if (!type) throw unknownPath()
  if (type.virtual) return answerReview(type, request)
  const options: WriteOptions = { manager: managerOf(request), dryRun: isDryRun(request) }
  if (path.name === undefined) return handleCollection(context, type, request, path, options)
  const named = { ...path, name: path.name }
  return path.subresource === undefined
    ? handleNamed(context, type, request, named, options)
    : handleSubresource(context, type, request, named, options)
}

function handleCollection(
  context: ApiContext,
  type: ResourceType,
  request: ApiRequest,
  path: ResourcePath,
  options: WriteOptions,
): ApiReply {
  const { query } = request
  switch (request.method) {
    case 'GET': {
      if (['true', '1'].includes(query.get('watch') ?? ''))
        return watch(context, type, request, path)
      const page = listPage(context, type, query, path.namespace)
      return ok(
        wantsTable(request.accept)
          ? tableOf(context, type, page.items, page.metadata, query)
          : listJson(type, page),
      )
    }
    case 'POST': {
      const { object, warnings } = readObject(type, request, { ...path, name: undefined })
      const created = createObject(context, type, object, options)
      return { code: 201, json: present(type, created), warnings }
    }
    case 'DELETE': {
      const { items, metadata } = listPage(context, type, query, path.namespace)
      for (const item of items) {
        deleteObject(context, type, objectKey(item), deleteOptions(request))
      }
      return ok(listJson(type, { items, metadata }))
    }
    default:
      throw methodNotAllowed()
  }
}

function watch(
  context: ApiContext,
  type: ResourceType,
  request: ApiRequest,
  path: ResourcePath,
): ApiReply {
  const { query, accept } = request
  const show = (object: KubeObject): JsonObject =>
    wantsTable(accept)
      ? tableOf(
          context,
          type,
          [object],
          { resourceVersion: object.metadata.resourceVersion ?? '' },
          query,
        )
      : present(type, object)
  const selected = selectionOf(query, path.namespace, path.name)
  return {
    stream: (response) => watchObjects(context, response, { type, query, selected, show }),
  }
}

function handleNamed(
  context: ApiContext,
  type: ResourceType,
  request: ApiRequest,
  path: ResourcePath & { readonly name: string },
  options: WriteOptions,
): ApiReply {
  const key = path.namespace === undefined ? path.name : `${path.namespace}/${path.name}`
  if (type.namespaced !== (path.namespace !== undefined)) throw unknownPath()
  switch (request.method) {
    case 'GET': {
      if (['true', '1'].includes(request.query.get('watch') ?? '')) {
        return watch(context, type, request, path)
      }
      const object = context.store.get(resourceId(type), key)
      if (!object) throw notFound(type, path.name)
      return ok(
        wantsTable(request.accept)
          ? tableOf(context, type, [object], {}, request.query)
          : present(type, object),
      )
    }
    case 'PUT': {
      const { object, warnings } = readObject(type, request, path)
      const updated = updateObject(context, type, key, () => object, options)
      return { code: 200, json: present(type, updated), warnings }
    }
    case 'PATCH':
      return patchResource(context, type, request, path, options)
    case 'DELETE': {
      const { gone, object } = deleteObject(context, type, key, deleteOptions(request))
      return ok(gone && type.kind !== 'Pod' ? deleted(type, object) : present(type, object))
    }
    default:
      throw methodNotAllowed()
  }
}

function deleted(type: ResourceType, { metadata }: KubeObject): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: metadata.name,
      ...(type.group === '' ? {} : { group: type.group }),
      kind: type.plural,
      uid: metadata.uid ?? '',
    },
  }
}
