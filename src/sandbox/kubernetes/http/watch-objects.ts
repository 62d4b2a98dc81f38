import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../../../lib/json.ts'
import type { ApiContext } from '../api/api-context.ts'
import { ApiError } from '../model/api-error.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { objectKey, withMeta } from '../model/kube-object.ts'
import type { StoreEvent } from '../model/object-store.ts'
import { apiVersionOf, type ResourceType, resourceId } from '../model/resource-type.ts'

export interface WatchOptions {
  readonly type: ResourceType
  readonly selected: (object: KubeObject) => boolean
  readonly query: URLSearchParams
  /** How an object is written: itself, or a table with one row. */
  readonly show: (object: KubeObject) => JsonObject
}

const bookmarkEveryMs = 60_000

/**
 * Streams what happens to a resource, one JSON event a line: from a resourceVersion on, or beginning
 * with what there is. Ends after `timeoutSeconds`, or when the client goes.
 */
export function watchObjects(
  context: ApiContext,
  response: ServerResponse,
  options: WatchOptions,
): void {
  const { query, type } = options
  const send = (event: JsonObject) => response.write(`${JSON.stringify(event)}\n`)
  response.writeHead(200, {
    'content-type': 'application/json',
    'cache-control': 'no-cache, private',
  })
  response.flushHeaders()

  if (!sendBacklog(context, options, send)) {
    response.end()
    return
  }
  const stop = context.store.subscribe((event) => {
    const watchEvent = event.resource === resourceId(type) && toWatchEvent(event, options)
    if (watchEvent) send(watchEvent)
  })
  const bookmarks = setInterval(() => {
    if (query.get('allowWatchBookmarks') === 'true') send(bookmark(context, type))
  }, bookmarkEveryMs)
  const seconds = Number(query.get('timeoutSeconds') ?? 0) || 1_800
  const timer = setTimeout(() => response.end(), seconds * 1_000)
  response.on('close', () => {
    stop()
    clearInterval(bookmarks)
    clearTimeout(timer)
  })
}

/** What happened before the stream begins; false where that is not known any more. */
function sendBacklog(
  context: ApiContext,
  options: WatchOptions,
  send: (event: JsonObject) => void,
): boolean {
  const { type, query, selected, show } = options
  const from = query.get('resourceVersion') ?? ''
  const initial = query.get('sendInitialEvents') === 'true'
  if (from === '' || from === '0' || initial) {
    const objects = context.store.list(resourceId(type)).filter(selected)
    objects.sort((a, b) => (objectKey(a) < objectKey(b) ? -1 : 1))
    for (const object of objects) send({ type: 'ADDED', object: show(object) })
    if (initial) send(bookmark(context, type, { 'k8s.io/initial-events-end': 'true' }))
    return true
  }
  const missed = context.store.since(resourceId(type), Number(from))
  if (missed === undefined) {
    const message = `too old resource version: ${from} (${context.store.version})`
    send({ type: 'ERROR', object: new ApiError(410, 'Expired', message).status })
    return false
  }
  for (const event of missed) {
    const watchEvent = toWatchEvent(event, options)
    if (watchEvent) send(watchEvent)
  }
  return true
}

/** A change seen through a selector: what leaves the selection is deleted, what enters it added. */
function toWatchEvent(
  { type, object, before }: StoreEvent,
  { selected, show }: WatchOptions,
): JsonObject | undefined {
  const isIn = selected(object)
  if (type !== 'MODIFIED') return isIn ? { type, object: show(object) } : undefined
  const wasIn = before !== undefined && selected(before)
  if (isIn) return { type: wasIn ? 'MODIFIED' : 'ADDED', object: show(object) }
  if (!wasIn) return undefined
  const { resourceVersion } = object.metadata
  return { type: 'DELETED', object: show(withMeta(before, { resourceVersion })) }
}

function bookmark(
  { store }: ApiContext,
  type: ResourceType,
  annotations?: Readonly<Record<string, string>>,
): JsonObject {
  const metadata = {
    resourceVersion: String(store.version),
    creationTimestamp: null,
    ...(annotations === undefined ? {} : { annotations }),
  }
  return { type: 'BOOKMARK', object: { kind: type.kind, apiVersion: apiVersionOf(type), metadata } }
}
