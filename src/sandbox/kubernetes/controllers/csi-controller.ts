import { isReady } from '../api/evict-pod.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { withMeta, withSpec } from '../model/kube-object.ts'
import { objectAt, objectsAt, textAt } from '../model/read-json.ts'
import { type ClusterContext, change } from './cluster-context.ts'
import type { Controller } from './controller.ts'

export const csiDriver = 'csi.hetzner.cloud'
const resource = 'csinodes.storage.k8s.io'

/** Hetzner's CSI driver on the nodes: where its pod runs, the node can take volumes. */
export function csiController(context: ClusterContext): Controller {
  const { store } = context.api
  return {
    name: 'csi-nodes',
    concerns: ({ resource: changed, object }) =>
      changed === 'pods' && isNodeDriver(object) ? [textAt(object, 'spec', 'nodeName')] : [],
    reconcile: (name) => {
      const csiNode = store.get(resource, name)
      const kubelet = context.kubelets.get(name)
      if (!csiNode || !kubelet || isRegistered(csiNode)) return undefined
      const running = context.pods.onNode(name).some((pod) => isNodeDriver(pod) && isReady(pod))
      if (running) register(context, csiNode, kubelet.registration.serverId)
      return undefined
    },
  }
}

function isNodeDriver(pod: KubeObject): boolean {
  const { name, ownerReferences = [] } = pod.metadata
  return name.startsWith('hcloud-csi') && ownerReferences.some(({ kind }) => kind === 'DaemonSet')
}

function isRegistered(csiNode: KubeObject): boolean {
  return objectsAt(csiNode, 'spec', 'drivers').some(
    (driver) => textAt(driver, 'name') === csiDriver,
  )
}

function register(context: ClusterContext, csiNode: KubeObject, serverId: number): void {
  const { name } = csiNode.metadata
  const location = context.cloud.server(serverId)?.location ?? 'hel1'
  const topology = `${csiDriver}/location`
  const driver = {
    name: csiDriver,
    nodeID: String(serverId),
    topologyKeys: [topology, 'instance.hetzner.cloud/provided-by'],
    allocatable: { count: 16 },
  }
  change(context, resource, name, (live) =>
    withSpec(live, {
      ...objectAt(live, 'spec'),
      drivers: [...objectsAt(live, 'spec', 'drivers'), driver],
    }),
  )
  change(context, 'nodes', name, (live) =>
    withMeta(live, {
      labels: { ...live.metadata.labels, [topology]: location },
      annotations: {
        ...live.metadata.annotations,
        'csi.volume.kubernetes.io/nodeid': JSON.stringify({ [csiDriver]: String(serverId) }),
      },
    }),
  )
}
