import type { Json, JsonObject } from '../../../lib/json.ts'
import type { ApiContext } from '../api/api-context.ts'
import { type KubeObject, objectKey } from '../model/kube-object.ts'
import { apiVersionOf, type ResourceType, resourceId } from '../model/resource-type.ts'
import { parseFieldSelector, parseLabelSelector } from '../model/selectors.ts'

/** Which objects a list or a watch is about. */
export function selectionOf(
  query: URLSearchParams,
  namespace: string | undefined,
  name?: string,
): (object: KubeObject) => boolean {
  const label = parseLabelSelector(query.get('labelSelector') ?? '')
  const field = parseFieldSelector(query.get('fieldSelector') ?? '')
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    (name === undefined || object.metadata.name === name) &&
    label(object.metadata.labels ?? {}) &&
    field(object)
}

export interface Page {
  readonly items: readonly KubeObject[]
  readonly metadata: JsonObject
}

/** The selected objects in the order of their keys, a page at a time where there is a limit. */
export function listPage(
  { store }: ApiContext,
  type: ResourceType,
  query: URLSearchParams,
  namespace: string | undefined,
): Page {
  const all = store
    .list(resourceId(type), namespace)
    .filter(selectionOf(query, namespace))
    .map((object) => ({ key: objectKey(object), object }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  const after = decodeToken(query.get('continue'))
  const rest = after === undefined ? all : all.filter(({ key }) => key > after)
  const limit = Number(query.get('limit') ?? 0) || rest.length
  const page = rest.slice(0, limit)
  const left = rest.length - page.length
  const last = page.at(-1)?.key
  return {
    items: page.map(({ object }) => object),
    metadata: {
      resourceVersion: String(store.version),
      ...(left > 0 && last !== undefined
        ? { continue: Buffer.from(last).toString('base64url'), remainingItemCount: left }
        : {}),
    },
  }
}

function decodeToken(token: string | null): string | undefined {
  return token ? Buffer.from(token, 'base64url').toString() : undefined
}

/** A list as JSON. Items of built-in kinds do not repeat their kind, as the real server's do not. */
export function listJson(type: ResourceType, { items, metadata }: Page): JsonObject {
  return {
    kind: `${type.kind}List`,
    apiVersion: apiVersionOf(type),
    metadata,
    items: items.map((item) =>
      type.columns === undefined ? withoutKind(item) : present(type, item),
    ),
  }
}

function withoutKind({ apiVersion: _, kind: __, ...rest }: KubeObject): Json {
  return rest
}

/** An object under the API version by which it was asked for. */
export function present(type: ResourceType, object: KubeObject): KubeObject {
  const apiVersion = apiVersionOf(type)
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion }
}
