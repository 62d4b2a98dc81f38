import type { Json, JsonObject } from '../../../lib/json.ts'
import { isJsonObject } from '../../../lib/json.ts'
import type { ApiContext, WriteOptions } from '../api/api-context.ts'
import { applyObject } from '../api/apply-object.ts'
import { updateObject } from '../api/update-object.ts'
import { jsonPatch } from '../apply/json-patch.ts'
import { mergePatch } from '../apply/merge-patch.ts'
import { strategicMergePatch } from '../apply/strategic-merge-patch.ts'
import { badRequest, unsupportedMediaType } from '../model/api-error.ts'
import type { KubeObject } from '../model/kube-object.ts'
import type { ResourceType } from '../model/resource-type.ts'
import { type ApiReply, type ApiRequest, parseJson } from './api-request.ts'
import { present } from './list-objects.ts'
import { type Place, readObject, toObject } from './read-object.ts'

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const

/** PATCH in its four forms. */
export function patchResource(
  context: ApiContext,
  type: ResourceType,
  request: ApiRequest,
  place: Place & { readonly name: string },
  options: WriteOptions,
): ApiReply {
  const form = patchTypes.find((name) => request.contentType.startsWith(name))
  if (form === undefined) throw unsupportedMediaType(patchTypes)
  if (form === 'application/apply-patch+yaml') return apply(context, type, request, place, options)
  const patch = parseJson(request.body)
  const key = place.namespace === undefined ? place.name : `${place.namespace}/${place.name}`
  let warnings: readonly string[] = []
  const change = (live: KubeObject) => {
    const patched = patchedBy(form, type, live, patch)
    if (!isJsonObject(patched)) throw badRequest('the patch leaves no object')
    const read = toObject(type, withVersion(patched, live, patch), place, request)
    warnings = read.warnings
    return read.object
  }
  const object = updateObject(context, type, key, change, options)
  return { code: 200, json: present(type, object), warnings }
}

function patchedBy(
  form: Exclude<(typeof patchTypes)[number], 'application/apply-patch+yaml'>,
  type: ResourceType,
  live: KubeObject,
  patch: Json,
): Json | undefined {
  switch (form) {
    case 'application/json-patch+json':
      return jsonPatch(live, patch)
    case 'application/merge-patch+json':
      return mergePatch(live, patch)
    case 'application/strategic-merge-patch+json':
      if (type.columns !== undefined)
        throw unsupportedMediaType(patchTypes.filter((one) => one !== form))
      return strategicMergePatch(type.schema, live, patch)
  }
}

/** A patch under another API version of a custom resource is still about the stored one. */
function withVersion(patched: JsonObject, live: KubeObject, patch: Json): JsonObject {
  const { apiVersion: _, kind: __, ...rest } = patched
  const spoken =
    isJsonObject(patch) && typeof patch['apiVersion'] === 'string' ? patch['apiVersion'] : undefined
  return spoken === undefined || spoken === live.apiVersion
    ? { ...rest }
    : { ...rest, apiVersion: spoken }
}

function apply(
  context: ApiContext,
  type: ResourceType,
  request: ApiRequest,
  place: Place,
  options: WriteOptions,
): ApiReply {
  if (!request.query.get('fieldManager')) {
    throw badRequest(
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    )
  }
  const { object: config, warnings } = readObject(type, request, place)
  const force = ['true', '1'].includes(request.query.get('force') ?? '')
  const { created, object } = applyObject(context, type, config, { ...options, force })
  return { code: created ? 201 : 200, json: present(type, object), warnings }
}
