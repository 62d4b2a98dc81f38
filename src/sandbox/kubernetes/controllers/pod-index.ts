import { controllerOf, type KubeObject, objectKey } from '../model/kube-object.ts'
import type { ObjectStore, StoreEvent } from '../model/object-store.ts'
import { textAt } from '../model/read-json.ts'

/** Pods by the node they run on and by the workload that owns them, kept up with the store. */
export class PodIndex {
  readonly #byNode = new Map<string, Map<string, KubeObject>>()
  readonly #byOwner = new Map<string, Map<string, KubeObject>>()
  readonly #unscheduled = new Map<string, KubeObject>()

  constructor(store: ObjectStore) {
    store.subscribe((event) => {
      if (event.resource === 'pods') this.#note(event)
    })
  }

  onNode(name: string): KubeObject[] {
    return [...(this.#byNode.get(name)?.values() ?? [])]
  }

  ofOwner(uid: string | undefined): KubeObject[] {
    return [...(this.#byOwner.get(uid ?? '')?.values() ?? [])]
  }

  unscheduled(): KubeObject[] {
    return [...this.#unscheduled.values()]
  }

  countOnNode(name: string): number {
    return this.#byNode.get(name)?.size ?? 0
  }

  #note({ type, object, before }: StoreEvent): void {
    const key = objectKey(object)
    const gone = before ?? object
    this.#byNode.get(textAt(gone, 'spec', 'nodeName'))?.delete(key)
    this.#byOwner.get(controllerOf(gone)?.uid ?? '')?.delete(key)
    this.#unscheduled.delete(key)
    if (type === 'DELETED') return
    const node = textAt(object, 'spec', 'nodeName')
    if (node === '') this.#unscheduled.set(key, object)
    else put(this.#byNode, node, key, object)
    const owner = controllerOf(object)
    if (owner) put(this.#byOwner, owner.uid, key, object)
  }
}

function put(
  index: Map<string, Map<string, KubeObject>>,
  at: string,
  key: string,
  object: KubeObject,
): void {
  const found = index.get(at) ?? new Map<string, KubeObject>()
  index.set(at, found)
  found.set(key, object)
}
