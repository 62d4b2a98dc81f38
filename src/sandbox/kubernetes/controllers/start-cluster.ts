import type { World } from '../../world.ts'
import type { ApiContext } from '../api/api-context.ts'
import { deleteObject } from '../api/delete-object.ts'
import type { CloudHooks } from '../cloud-hooks.ts'
import type { ClusterContent } from '../cluster-content.ts'
import type { NodeRegistration } from '../node-registration.ts'
import { apiServiceController } from './api-service-controller.ts'
import { attachController } from './attach-controller.ts'
import { bootstrapObjects } from './bootstrap-objects.ts'
import { certificateController } from './certificate-controller.ts'
import { cloudController } from './cloud-controller.ts'
import type { ClusterContext } from './cluster-context.ts'
import { makeDns } from './cluster-dns.ts'
import type { Controller, Later } from './controller.ts'
import { crdController } from './crd-controller.ts'
import { csiController } from './csi-controller.ts'
import { daemonSetController } from './daemon-set-controller.ts'
import { deploymentController } from './deployment-controller.ts'
import { disruptionController } from './disruption-controller.ts'
import { endpointController } from './endpoint-controller.ts'
import { garbageCollector } from './garbage-collector.ts'
import { jobController } from './job-controller.ts'
import { expectKubelets, kubeletNodes, nodeDown, registerNode } from './kubelet-nodes.ts'
import { kubeletPods } from './kubelet-pods.ts'
import { loadBalancerController } from './load-balancer-controller.ts'
import { namespaceController } from './namespace-controller.ts'
import { nodeController } from './node-controller.ts'
import { podEviction } from './pod-eviction.ts'
import { PodIndex } from './pod-index.ts'
import { replicaSetController } from './replica-set-controller.ts'
import { runControllers } from './run-controllers.ts'
import { scheduler } from './scheduler.ts'
import { statefulSetController } from './stateful-set-controller.ts'
import { volumeController } from './volume-controller.ts'

export interface ClusterOptions {
  readonly world: World
  readonly podCidr: string
  readonly version: string
  readonly ca: { readonly crt: string; readonly key: string }
  readonly later: Later
  readonly cloud: CloudHooks
  /** What there is from the beginning, in a cluster that was recovered. */
  readonly content?: ClusterContent | undefined
  readonly dns: boolean
}

/** Every loop of the cluster, in the order in which they look at what has changed. */
const controllers: readonly ((context: ClusterContext) => Controller)[] = [
  crdController,
  namespaceController,
  nodeController,
  deploymentController,
  replicaSetController,
  daemonSetController,
  statefulSetController,
  jobController,
  scheduler,
  kubeletPods,
  kubeletNodes,
  podEviction,
  endpointController,
  disruptionController,
  cloudController,
  csiController,
  volumeController,
  attachController,
  loadBalancerController,
  certificateController,
  apiServiceController,
  garbageCollector,
]

/** Everything that lives in a cluster besides its API. */
export function startCluster(api: ApiContext, options: ClusterOptions) {
  const context: ClusterContext = {
    ...options,
    api,
    pods: new PodIndex(api.store),
    kubelets: new Map(),
  }
  const running = controllers.map((controller) => controller(context))
  const stop = runControllers(api.store, running, options.later)
  if (options.content) {
    api.store.load(options.content)
    expectKubelets(context)
  }
  bootstrapObjects(context)
  if (options.dns) makeDns(context)
  return {
    stop,
    registerNode: (node: NodeRegistration, ended: Set<string>) =>
      registerNode(context, node, ended),
    nodeDown: (name: string) => nodeDown(context, name),
    deleteNode: (name: string) => {
      context.kubelets.delete(name)
      if (api.store.get('nodes', name)) deleteObject(api, api.resources.builtin('nodes'), name)
    },
  }
}
