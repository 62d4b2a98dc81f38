import { createUnlessThere } from '../api/create-object.ts'
import { type KubeObject, withStatus } from '../model/kube-object.ts'
import { objectsAt, textAt } from '../model/read-json.ts'
import type { NodeRegistration } from '../node-registration.ts'
import { type ClusterContext, change } from './cluster-context.ts'
import { ownedByNode } from './node-owner.ts'
import { podAddress } from './pod-network.ts'
import { runningStatus, waitingStatus } from './pod-status.ts'

/** The static pods of a control plane, as the kubelet mirrors them into the API. */
export function mirrorPods(
  context: ClusterContext,
  node: KubeObject,
  registration: NodeRegistration,
): void {
  const names = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']
  const first = names.map((component) => ({
    component,
    image: `registry.k8s.io/${component}:${context.version}`,
    ready: true,
  }))
  for (const { component, image, ready = true } of registration.staticPods ?? first) {
    const name = `${component}-${registration.name}`
    removeUnlike(context, `kube-system/${name}`, image)
    const pod: KubeObject = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'kube-system',
        labels: { tier: 'control-plane', 'k8s-app': component },
        annotations: {
          'kubernetes.io/config.mirror': component,
          'kubernetes.io/config.source': 'file',
        },
        ownerReferences: [{ ...ownedByNode(node), controller: true }],
      },
      spec: {
        nodeName: registration.name,
        hostNetwork: true,
        priorityClassName: 'system-cluster-critical',
        tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
        containers: [{ name: component, image }],
      },
    }
    const type = context.api.resources.builtin('pods')
    const made = createUnlessThere(context.api, type, pod, { manager: 'kubelet' })
    const live = made ?? context.api.store.get('pods', `kube-system/${name}`)
    const place = context.api.store.get('nodes', registration.name)
    if (!live || !place) continue
    const status = ready
      ? runningStatus(context, live, place, podAddress(context, live, place))
      : waitingStatus(context, live, place, { reason: 'CrashLoopBackOff' })
    change(context, 'pods', `kube-system/${name}`, (pod) => withStatus(pod, status))
  }
}

/** A pod's spec does not change: for a static pod that did, the kubelet makes another mirror. */
function removeUnlike({ api }: ClusterContext, key: string, image: string): void {
  const [container] = objectsAt(api.store.get('pods', key), 'spec', 'containers')
  if (container !== undefined && textAt(container, 'image') !== image) api.store.remove('pods', key)
}
