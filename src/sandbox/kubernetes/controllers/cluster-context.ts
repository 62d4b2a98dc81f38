import type { JsonObject } from '../../../lib/json.ts'
import type { World } from '../../world.ts'
import type { ApiContext } from '../api/api-context.ts'
import { writeUpdate } from '../api/update-object.ts'
import type { CloudHooks } from '../cloud-hooks.ts'
import { type KubeObject, objectKey, withMeta, withStatus } from '../model/kube-object.ts'
import type { NodeRegistration } from '../node-registration.ts'
import type { Later } from './controller.ts'
import type { PodIndex } from './pod-index.ts'

/** What a kubelet of this cluster is, besides the Node object that it reports. */
export interface Kubelet {
  readonly registration: NodeRegistration
  /** Whether it posts its status. */
  readonly up: boolean
  /** The pods that it ended since it started, by uid. */
  readonly ended: Set<string>
}

/** What every controller works with. */
export interface ClusterContext {
  readonly api: ApiContext
  readonly world: World
  readonly podCidr: string
  readonly version: string
  readonly ca: { readonly crt: string; readonly key: string }
  readonly later: Later
  readonly pods: PodIndex
  readonly kubelets: Map<string, Kubelet>
  /** Hetzner, as the cluster's controllers reach it. */
  readonly cloud: CloudHooks
}

/** Writes a status, if the object is still there and the status differs; answers whether it did. */
export function putStatus(
  { api }: Pick<ClusterContext, 'api'>,
  resource: string,
  object: KubeObject,
  status: JsonObject,
): boolean {
  const live = api.store.get(resource, objectKey(object))
  if (live?.metadata.uid !== object.metadata.uid || !live) return false
  return api.store.put(resource, withStatus(live, status)) !== live
}

/** Changes an object in the cluster's own name, without owners of fields; nothing where it is gone. */
export function change(
  { api }: Pick<ClusterContext, 'api'>,
  resource: string,
  key: string,
  next: (live: KubeObject) => KubeObject,
): void {
  const live = api.store.get(resource, key)
  if (live) api.store.put(resource, next(live))
}

/** Takes a finalizer away; an object that only waited for it goes. */
export function removeFinalizer(
  { api }: Pick<ClusterContext, 'api'>,
  resource: string,
  key: string,
  finalizer: string,
): void {
  const live = api.store.get(resource, key)
  const type = api.resources.stored(resource)
  const present = live?.metadata.finalizers ?? []
  if (!live || !type || !present.includes(finalizer)) return
  const left = present.filter((one) => one !== finalizer)
  const finalizers = left.length > 0 ? left : undefined
  writeUpdate(api, type, live, withMeta(live, { finalizers }))
}
