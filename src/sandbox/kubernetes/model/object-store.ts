import { isDeepStrictEqual } from 'node:util'
import type { ClusterContent } from '../cluster-content.ts'
import type { KubeObject } from './kube-object.ts'
import { objectKey, withMeta } from './kube-object.ts'

export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** Which resource, e.g. `deployments.apps`. */
  readonly resource: string
  readonly object: KubeObject
  readonly before: KubeObject | undefined
  readonly version: number
}

/** How many events of a resource a watch can go back; older ones are Gone, as after a compaction. */
const historyLength = 4_000

/** The etcd of the simulated cluster: objects by resource and key, one growing version, a history. */
export class ObjectStore {
  readonly #objects = new Map<string, Map<string, KubeObject>>()
  readonly #history = new Map<string, StoreEvent[]>()
  readonly #forgotten = new Map<string, number>()
  readonly #listeners = new Set<(event: StoreEvent) => void>()
  #version = 1

  /** The version of the latest write. */
  get version(): number {
    return this.#version
  }

  get(resource: string, key: string): KubeObject | undefined {
    return this.#objects.get(resource)?.get(key)
  }

  count(resource: string): number {
    return this.#objects.get(resource)?.size ?? 0
  }

  /** All of a resource, or those of one namespace, in no promised order. */
  list(resource: string, namespace?: string): KubeObject[] {
    const all = [...(this.#objects.get(resource)?.values() ?? [])]
    return namespace === undefined
      ? all
      : all.filter((object) => object.metadata.namespace === namespace)
  }

  /** Writes an object, new or changed, and tells everybody; equal to what is there, it does nothing. */
  put(resource: string, object: KubeObject): KubeObject {
    const key = objectKey(object)
    const objects = this.#objects.get(resource) ?? new Map<string, KubeObject>()
    this.#objects.set(resource, objects)
    const before = objects.get(key)
    if (before && isDeepStrictEqual(before, object)) return before
    const version = ++this.#version
    const written = withMeta(object, { resourceVersion: String(version) })
    objects.set(key, written)
    const type = before ? 'MODIFIED' : 'ADDED'
    this.#notify({ type, resource, object: written, before, version })
    return written
  }

  remove(resource: string, key: string): KubeObject | undefined {
    const before = this.get(resource, key)
    if (!before) return undefined
    this.#objects.get(resource)?.delete(key)
    const version = ++this.#version
    const object = withMeta(before, { resourceVersion: String(version) })
    this.#notify({ type: 'DELETED', resource, object, before, version })
    return object
  }

  /** Everything that is in it. */
  content(): ClusterContent {
    const objects = [...this.#objects].flatMap(([resource, all]) =>
      [...all.values()].map((object) => ({ resource, object })),
    )
    return { version: this.#version, objects }
  }

  /** Begins with what another store held, versions included, and tells everybody of it. */
  load({ version, objects }: ClusterContent): void {
    this.#version = version
    for (const { resource, object } of objects) {
      const all = this.#objects.get(resource) ?? new Map<string, KubeObject>()
      this.#objects.set(resource, all)
      all.set(objectKey(object), object)
    }
    for (const { resource, object } of objects) {
      this.#notify({ type: 'ADDED', resource, object, before: undefined, version })
    }
  }

  /** What happened to a resource after `version`; undefined where that is not remembered any more. */
  since(resource: string, version: number): StoreEvent[] | undefined {
    if (version < (this.#forgotten.get(resource) ?? 0)) return undefined
    return (this.#history.get(resource) ?? []).filter((event) => event.version > version)
  }

  /** Tells `listener` of every write from now on; returns how to stop it. */
  subscribe(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #notify(event: StoreEvent): void {
    const history = this.#history.get(event.resource) ?? []
    this.#history.set(event.resource, history)
    history.push(event)
    if (history.length > historyLength) {
      const dropped = history.splice(0, historyLength / 2)
      this.#forgotten.set(event.resource, dropped.at(-1)?.version ?? 0)
    }
    for (const listener of [...this.#listeners]) listener(event)
  }
}
