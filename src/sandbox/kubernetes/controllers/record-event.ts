import { sha256Hex } from '../../stable-json.ts'
import { type ApiContext, newUid, timestamp } from '../api/api-context.ts'
import { type KubeObject, objectKey, withMeta } from '../model/kube-object.ts'
import { numberAt } from '../model/read-json.ts'

export interface Happening {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** Who tells, e.g. `kubelet`. */
  readonly source: string
  readonly host?: string
}

/** As many as an hour of a busy cluster; the oldest are forgotten. */
const mostEvents = 2_000
const forgottenAtOnce = 200

/** Writes an Event about an object; one that was told before is counted up. */
export function recordEvent(context: ApiContext, about: KubeObject, happening: Happening): void {
  const { type, reason, message, source, host } = happening
  const namespace = about.metadata.namespace ?? 'default'
  const now = timestamp(context)
  const { store } = context
  const digest = sha256Hex(`${about.metadata.uid} ${reason} ${message}`).slice(0, 16)
  const name = `${about.metadata.name}.${digest}`
  const same = store.get('events', `${namespace}/${name}`)
  if (same) {
    const count = (numberAt(same, 'count') ?? 1) + 1
    store.put('events', { ...same, count, lastTimestamp: now })
    return
  }
  forgetOldest(context)
  store.put(
    'events',
    withMeta(
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace },
        involvedObject: {
          apiVersion: about.apiVersion,
          kind: about.kind,
          name: about.metadata.name,
          uid: about.metadata.uid ?? '',
          ...(about.metadata.namespace === undefined ? {} : { namespace }),
        },
        type,
        reason,
        message,
        source: host === undefined ? { component: source } : { component: source, host },
        reportingComponent: source,
        reportingInstance: host ?? '',
        count: 1,
        firstTimestamp: now,
        lastTimestamp: now,
      },
      { uid: newUid(context), creationTimestamp: now },
    ),
  )
}

function forgetOldest({ store }: ApiContext): void {
  if (store.count('events') < mostEvents) return
  for (const event of store.list('events').slice(0, forgottenAtOnce))
    store.remove('events', objectKey(event))
}
