import { parse } from 'yaml'
import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts'
import { ApiError, badRequest } from '../model/api-error.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { objectAt, textAt } from '../model/read-json.ts'
import { apiVersionOf, type ResourceType } from '../model/resource-type.ts'
import { decodeObject, isProtobuf } from '../protobuf/decode-object.ts'
import { checkFields } from '../schema/check-fields.ts'
import type { ApiRequest } from './api-request.ts'

/** Where the path of a request says that its object belongs. */
export interface Place {
  readonly namespace: string | undefined
  readonly name: string | undefined
}

export interface ReadObject {
  readonly object: KubeObject
  readonly warnings: readonly string[]
}

/** The object in a request's body, in JSON or YAML, checked against its type and its place. */
export function readObject(type: ResourceType, request: ApiRequest, place: Place): ReadObject {
  return toObject(type, parseBody(request), place, request)
}

export function parseBody({ body }: Pick<ApiRequest, 'body'>): JsonObject {
  if (isProtobuf(body)) return decodeObject(body)
  const text = body.toString('utf8')
  let value: Json
  try {
    value = text.startsWith('{') ? JSON.parse(text) : parse(text)
  } catch (error) {
    throw badRequest(`error decoding the body: ${error instanceof Error ? error.message : error}`)
  }
  if (!isJsonObject(value)) throw badRequest('the body of the request is no object')
  return value
}

/**
 * Unknown fields are dropped: with an error under `fieldValidation=Strict` and for applies, with a
 * warning otherwise. Throws 400 where it is another kind, or belongs elsewhere.
 */
export function toObject(
  type: ResourceType,
  value: JsonObject,
  place: Place,
  request: ApiRequest,
): ReadObject {
  const [apiVersion, kind] = [textAt(value, 'apiVersion'), textAt(value, 'kind')]
  if (
    (kind !== '' && kind !== type.kind) ||
    (apiVersion !== '' && apiVersion !== apiVersionOf(type))
  ) {
    throw badRequest(
      `the API version or kind in the data (${apiVersion}, Kind=${kind}) does not match the expected API version and kind (${apiVersionOf(type)}, Kind=${type.kind})`,
    )
  }
  const checked = checkFields(type.schema, value)
  const [wrong] = checked.wrong
  if (wrong !== undefined) {
    throw badRequest(
      `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: json: cannot unmarshal ${wrong}`,
    )
  }
  if (checked.unknown.length > 0) refuseUnknown(type, checked.unknown, value, request)
  const fields = isJsonObject(checked.value) ? checked.value : {}
  const object = placed(type, fields, place)
  const warnings =
    request.query.get('fieldValidation') === 'Ignore'
      ? []
      : checked.unknown.map((field) => `unknown field "${field}"`)
  return { object, warnings }
}

function refuseUnknown(
  type: ResourceType,
  unknown: readonly string[],
  value: JsonObject,
  request: ApiRequest,
): void {
  if (request.contentType.startsWith('application/apply-patch')) {
    const { namespace, name } = {
      namespace: textAt(value, 'metadata', 'namespace'),
      name: textAt(value, 'metadata', 'name'),
    }
    const who = `${namespace}/${name}; ${apiVersionOf(type)}, Kind=${type.kind}`
    const fields = unknown.map((field) => `.${field}: field not declared in schema`)
    const text = fields.length === 1 ? fields[0] : `errors:\n  ${fields.join('\n  ')}`
    throw new ApiError(500, '', `failed to create typed patch object (${who}): ${text}`)
  }
  if (request.query.get('fieldValidation') !== 'Strict') return
  const fields = unknown.map((field) => `unknown field "${field}"`).join(', ')
  throw badRequest(
    `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: strict decoding error: ${fields}`,
  )
}

function placed(type: ResourceType, fields: JsonObject, place: Place): KubeObject {
  const metadata = objectAt(fields, 'metadata')
  const name = textAt(metadata, 'name') || (place.name ?? '')
  if (place.name !== undefined && name !== place.name) {
    throw badRequest(
      `the name of the object (${name}) does not match the name on the URL (${place.name})`,
    )
  }
  const namespace = textAt(metadata, 'namespace') || place.namespace
  if (type.namespaced && place.namespace !== undefined && namespace !== place.namespace) {
    throw badRequest(
      `the namespace of the provided object does not match the namespace sent on the request`,
    )
  }
  const { namespace: _, ...rest } = metadata
  const where = type.namespaced && namespace !== undefined ? { namespace } : {}
  return {
    ...fields,
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: { ...rest, name, ...where },
  }
}
