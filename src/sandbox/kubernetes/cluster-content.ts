import type { KubeObject } from './model/kube-object.ts'

/** Everything that a simulated Kubernetes keeps in its etcd. */
export interface ClusterContent {
  /** The version of the latest write. */
  readonly version: number
  readonly objects: readonly { readonly resource: string; readonly object: KubeObject }[]
}
