import type { JsonObject } from '../../../lib/json.ts'
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
  const shown: NonNullable<NodeRegistration['staticPods']> = registration.staticPods ?? first
  removeGone(context, registration.name, shown)
  for (const { component, image, ready = true, id, hash } of shown) {
    const name = `${component}-${registration.name}`
    removeUnlike(context, `kube-system/${name}`, image, hash)
    const pod: KubeObject = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace: 'kube-system',
        labels: { tier: 'control-plane', 'k8s-app': component },
        annotations: {
          'kubernetes.io/config.mirror': component,
          ...(hash !== undefined && { [hashAnnotation]: hash }),
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
    change(context, 'pods', `kube-system/${name}`, (pod) =>
      withStatus(pod, ofContainer(status, id)),
    )
  }
}

const hashAnnotation = 'kubernetes.io/config.hash'

/** A container that was restarted has another id. */
function ofContainer(status: JsonObject, id: string | undefined): JsonObject {
  if (id === undefined) return status
  const containerID = `containerd://${id}`
  const containerStatuses = objectsAt(status, 'containerStatuses')
  return { ...status, containerStatuses: containerStatuses.map((one) => ({ ...one, containerID })) }
}

/** Mirrors of files that are there no more. */
function removeGone(
  { api }: ClusterContext,
  nodeName: string,
  shown: NonNullable<NodeRegistration['staticPods']>,
): void {
  const names = new Set(shown.map(({ component }) => `${component}-${nodeName}`))
  for (const pod of api.store.list('pods')) {
    const { name, namespace, annotations = {} } = pod.metadata
    const isMirror = hashAnnotation in annotations && textAt(pod, 'spec', 'nodeName') === nodeName
    if (isMirror && !names.has(name)) api.store.remove('pods', `${namespace}/${name}`)
  }
}

/** A pod's spec does not change: for a static pod that did, the kubelet makes another mirror. */
function removeUnlike(
  { api }: ClusterContext,
  key: string,
  image: string,
  hash: string | undefined,
): void {
  const pod = api.store.get('pods', key)
  const [container] = objectsAt(pod, 'spec', 'containers')
  if (pod === undefined || container === undefined) return
  const isOther = textAt(container, 'image') !== image
  if (isOther || pod.metadata.annotations?.[hashAnnotation] !== hash) api.store.remove('pods', key)
}
