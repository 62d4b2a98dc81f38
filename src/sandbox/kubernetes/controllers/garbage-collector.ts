import { deleteObject, finishDeletion } from '../api/delete-object.ts'
import { type KubeObject, objectKey, withMeta } from '../model/kube-object.ts'
import { type ClusterContext, removeFinalizer } from './cluster-context.ts'
import type { Controller } from './controller.ts'

/** Objects by the uid of an owner: `resource|key`. */
class Dependents {
  readonly #byOwner = new Map<string, Set<string>>()

  note(resource: string, object: KubeObject, gone: boolean): void {
    const entry = `${resource}|${objectKey(object)}`
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const entries = this.#byOwner.get(uid) ?? new Set<string>()
      this.#byOwner.set(uid, entries)
      if (gone) entries.delete(entry)
      else entries.add(entry)
      if (entries.size === 0) this.#byOwner.delete(uid)
    }
  }

  of(uid: string): { resource: string; key: string }[] {
    return [...(this.#byOwner.get(uid) ?? [])].map((entry) => {
      const bar = entry.indexOf('|')
      return { resource: entry.slice(0, bar), key: entry.slice(bar + 1) }
    })
  }
}

/**
 * The garbage collector: what its last owner leaves behind goes, too; foreground deletion waits for
 * it, and orphaning lets it stay.
 */
export function garbageCollector(context: ClusterContext): Controller {
  const { store } = context.api
  const dependents = new Dependents()
  /** Owners in foreground deletion, by uid: where they are. */
  const waitingOwners = new Map<string, { resource: string; key: string }>()
  return {
    name: 'garbage-collector',
    concerns: ({ resource, object, before, type }) => {
      if (before) dependents.note(resource, before, true)
      if (type !== 'DELETED') dependents.note(resource, object, false)
      const { uid = '', deletionTimestamp } = object.metadata
      const owners = object.metadata.ownerReferences ?? []
      const waiting = owners.map((owner) => `waiting|${owner.uid}`)
      if (type === 'DELETED') return [`gone|${uid}`, ...waiting]
      return deletionTimestamp === undefined ? [] : [`marked|${resource}|${objectKey(object)}`]
    },
    reconcile: (key) => {
      const [kind = '', first = '', ...rest] = key.split('|')
      if (kind === 'gone') for (const one of dependents.of(first)) release(one, first)
      if (kind === 'marked') goOn(first, store.get(first, rest.join('|')))
      if (kind === 'waiting') {
        const owner = waitingOwners.get(first)
        if (owner) goOn(owner.resource, store.get(owner.resource, owner.key))
      }
      return undefined
    },
  }

  /** An owner is gone: the dependent loses it, and goes with the last one. */
  function release({ resource, key }: { resource: string; key: string }, uid: string): void {
    const object = store.get(resource, key)
    const type = context.api.resources.stored(resource)
    if (!object || !type || object.metadata.deletionTimestamp !== undefined) return
    const left = (object.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid)
    if (left.length === 0) deleteObject(context.api, type, key)
    else store.put(resource, withMeta(object, { ownerReferences: left }))
  }

  /** An owner waits with one of the collector's finalizers. */
  function goOn(resource: string, owner: KubeObject | undefined): void {
    const { finalizers = [], uid = '' } = owner?.metadata ?? {}
    if (!owner) return
    const below = dependents.of(uid)
    if (finalizers.includes('orphan')) {
      for (const one of below) disown(one, uid)
      drop(resource, owner, 'orphan')
    }
    if (!finalizers.includes('foregroundDeletion')) return
    if (below.length === 0) {
      drop(resource, owner, 'foregroundDeletion')
      return
    }
    waitingOwners.set(uid, { resource, key: objectKey(owner) })
    for (const one of below) release(one, uid)
  }

  function disown({ resource, key }: { resource: string; key: string }, uid: string): void {
    const object = store.get(resource, key)
    if (!object) return
    const left = (object.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid)
    store.put(resource, withMeta(object, { ownerReferences: left.length > 0 ? left : undefined }))
  }

  function drop(resource: string, owner: KubeObject, finalizer: string): void {
    waitingOwners.delete(owner.metadata.uid ?? '')
    removeFinalizer(context, resource, objectKey(owner), finalizer)
    const type = context.api.resources.stored(resource)
    if (type?.kind === 'Pod') finishDeletion(context.api, type, owner)
  }
}
