import type { World } from '../../world.ts'
import type { ApiContext } from '../api/api-context.ts'
import { deleteObject } from '../api/delete-object.ts'
import type { NodeRegistration } from '../node-registration.ts'
import { bootstrapObjects } from './bootstrap-objects.ts'
import type { ClusterContext } from './cluster-context.ts'
import type { Later } from './controller.ts'
import { kubeletNodes, nodeDown, registerNode } from './kubelet-nodes.ts'
import { nodeController } from './node-controller.ts'
import { PodIndex } from './pod-index.ts'
import { runControllers } from './run-controllers.ts'

export interface ClusterOptions {
  readonly world: World
  readonly podCidr: string
  readonly version: string
  readonly ca: { readonly crt: string; readonly key: string }
  readonly later: Later
}

/** Everything that lives in a cluster besides its API. */
export function startCluster(api: ApiContext, options: ClusterOptions) {
  const context: ClusterContext = {
    ...options,
    api,
    pods: new PodIndex(api.store),
    kubelets: new Map(),
  }
  const controllers = [nodeController(context), kubeletNodes(context)]
  const stop = runControllers(api.store, controllers, options.later)
  bootstrapObjects(context)
  return {
    stop,
    registerNode: (node: NodeRegistration) => registerNode(context, node),
    nodeDown: (name: string) => nodeDown(context, name),
    deleteNode: (name: string) => {
      context.kubelets.delete(name)
      if (api.store.get('nodes', name)) deleteObject(api, api.resources.builtin('nodes'), name)
    },
  }
}
