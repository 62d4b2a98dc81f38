import { stringify } from 'yaml'
import { type NodeResource, nodeResources } from './node-resources.ts'
import type { TalosNode } from './talos-node.ts'

export interface StoredResource extends NodeResource {
  /** The spec as YAML. */
  readonly yaml: string
  /** Counts from 1, up by one with each change. */
  readonly version: number
  /** In the world's milliseconds. */
  readonly created: number
  readonly updated: number
}

export type ResourceChange =
  | { readonly kind: 'created'; readonly resource: StoredResource }
  | { readonly kind: 'updated'; readonly resource: StoredResource; readonly old: StoredResource }
  | { readonly kind: 'destroyed'; readonly resource: StoredResource }

/**
 * The resources of a node with their versions. They are worked out when somebody looks, and at each
 * change while somebody watches: a node that nobody asks costs nothing.
 */
export class ResourceStore {
  readonly #node: TalosNode
  readonly #known = new Map<string, StoredResource>()
  readonly #watchers = new Set<(change: ResourceChange) => void>()

  constructor(node: TalosNode) {
    this.#node = node
  }

  /** To be called when something about the node has changed. */
  refresh(): void {
    if (this.#watchers.size > 0) this.#update()
  }

  get(type: string, id: string): StoredResource | undefined {
    this.#update()
    return this.#known.get(keyOf(type, id))
  }

  /** By id. */
  list(type: string): StoredResource[] {
    this.#update()
    return [...this.#known.values()]
      .filter((resource) => resource.type === type)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** Tells every change of this type from now on; the answer ends it. */
  watch(type: string, notify: (change: ResourceChange) => void): () => void {
    this.#update()
    const watcher = (change: ResourceChange) => {
      if (change.resource.type === type) notify(change)
    }
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  #update(): void {
    const gone = new Set(this.#known.keys())
    for (const found of nodeResources(this.#node)) {
      const key = keyOf(found.type, found.id)
      gone.delete(key)
      const old = this.#known.get(key)
      const yaml = stringify(found.spec, { lineWidth: 0 })
      const { stamp } = found
      if (old?.yaml === yaml && (!stamp || stamp.version === old.version)) continue
      const now = stamp?.at ?? this.#node.world.clock.now()
      const version = stamp?.version ?? (old?.version ?? 0) + 1
      const resource = { ...found, yaml, version, created: old?.created ?? now, updated: now }
      this.#known.set(key, resource)
      this.#notify(old ? { kind: 'updated', resource, old } : { kind: 'created', resource })
    }
    for (const key of gone) {
      const resource = this.#known.get(key)
      this.#known.delete(key)
      if (resource !== undefined) this.#notify({ kind: 'destroyed', resource })
    }
  }

  #notify(change: ResourceChange): void {
    for (const notify of this.#watchers) notify(change)
  }
}

function keyOf(type: string, id: string): string {
  return `${type}/${id}`
}
