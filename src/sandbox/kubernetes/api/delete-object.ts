import { conflict, notFound } from '../model/api-error.ts'
import { type KubeObject, objectKey, withMeta, withStatus } from '../model/kube-object.ts'
import { numberAt, objectAt, textAt } from '../model/read-json.ts'
import { type ResourceType, resourceId } from '../model/resource-type.ts'
import { type ApiContext, timestamp } from './api-context.ts'

export interface DeleteOptions {
  readonly uid?: string
  readonly resourceVersion?: string
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  readonly gracePeriodSeconds?: number
  readonly dryRun?: boolean
}

/**
 * Deletes an object, at once or, where it has finalizers, a grace period or content, by marking it.
 * Answers whether it is gone, and the object. Throws 404, and 409 where a precondition fails.
 */
export function deleteObject(
  context: ApiContext,
  type: ResourceType,
  key: string,
  options: DeleteOptions = {},
): { gone: boolean; object: KubeObject } {
  const live = context.store.get(resourceId(type), key)
  if (!live) throw notFound(type, key.slice(key.indexOf('/') + 1))
  requireIdentity(type, live, options)
  const grace = gracePeriod(type, live, options)
  const finalizers = finalizersFor(live, options)
  const stays = grace > 0 || finalizers.length > 0 || type.kind === 'Namespace'
  if (options.dryRun) return { gone: !stays, object: live }
  if (!stays) {
    return { gone: true, object: context.store.remove(resourceId(type), key) ?? live }
  }
  return { gone: false, object: mark(context, type, live, grace, finalizers) }
}

function requireIdentity(type: ResourceType, live: KubeObject, options: DeleteOptions): void {
  const { uid, resourceVersion, name } = live.metadata
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `Precondition failed: UID in precondition: ${options.uid}, UID in object meta: ${uid}`
    throw conflict(type, name, why)
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    const why = `Precondition failed: ResourceVersion in precondition: ${options.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`
    throw conflict(type, name, why)
  }
}

/** Only pods that a kubelet runs, or may run, are given time. */
function gracePeriod(type: ResourceType, live: KubeObject, options: DeleteOptions): number {
  if (type.kind !== 'Pod' || textAt(live, 'spec', 'nodeName') === '') return 0
  if (['Succeeded', 'Failed'].includes(textAt(live, 'status', 'phase'))) return 0
  const asked = options.gracePeriodSeconds
  const own = numberAt(live, 'spec', 'terminationGracePeriodSeconds') ?? 30
  const period = asked ?? own
  const running = live.metadata.deletionGracePeriodSeconds
  return running === undefined ? period : Math.min(running, period)
}

function finalizersFor(live: KubeObject, { propagation }: DeleteOptions): readonly string[] {
  const present = live.metadata.finalizers ?? []
  if (propagation === 'Foreground') return [...new Set([...present, 'foregroundDeletion'])]
  if (propagation === 'Orphan') return [...new Set([...present, 'orphan'])]
  return present
}

function mark(
  context: ApiContext,
  type: ResourceType,
  live: KubeObject,
  grace: number,
  finalizers: readonly string[],
): KubeObject {
  const marked = withMeta(live, {
    deletionTimestamp: live.metadata.deletionTimestamp ?? deletionTime(context, grace),
    deletionGracePeriodSeconds: grace,
    finalizers: finalizers.length > 0 ? finalizers : undefined,
    generation:
      live.metadata.generation === undefined || live.metadata.deletionTimestamp !== undefined
        ? live.metadata.generation
        : live.metadata.generation + 1,
  })
  const status = objectAt(live, 'status')
  const object =
    type.kind === 'Namespace' ? withStatus(marked, { ...status, phase: 'Terminating' }) : marked
  return context.store.put(resourceId(type), object)
}

function deletionTime({ clock }: ApiContext, grace: number): string {
  return timestamp({ clock: { ...clock, now: () => clock.now() + grace * 1_000 } })
}

/** Removes a pod whose kubelet has stopped it, or an object whose time is over, finalizers permitting. */
export function finishDeletion(context: ApiContext, type: ResourceType, object: KubeObject): void {
  const key = objectKey(object)
  const live = context.store.get(resourceId(type), key)
  if (!live || live.metadata.uid !== object.metadata.uid) return
  if ((live.metadata.finalizers ?? []).length === 0) context.store.remove(resourceId(type), key)
  else context.store.put(resourceId(type), withMeta(live, { deletionGracePeriodSeconds: 0 }))
}
