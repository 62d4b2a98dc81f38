import type { JsonObject } from '../../../lib/json.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { flagAt, objectAt, objectsAt, textAt } from '../model/read-json.ts'
import type { ClusterContext } from './cluster-context.ts'
import { isTrue } from './conditions.ts'
import { csiDriver } from './csi-controller.ts'
import { claimNames } from './pod-volumes.ts'

/** Why a pod on its node cannot start yet, as the kubelet says it. */
export interface Obstacle {
  /** What the container's state shows. */
  readonly waiting: 'ContainerCreating' | 'CreateContainerConfigError'
  readonly event: string
  readonly message: string
}

/** The first thing that keeps a pod from starting; undefined where it can. */
export function obstacleOf(
  context: ClusterContext,
  pod: KubeObject,
  node: KubeObject,
): Obstacle | undefined {
  return networkObstacle(pod, node) ?? mountObstacle(context, pod) ?? variableObstacle(context, pod)
}

function networkObstacle(pod: KubeObject, node: KubeObject): Obstacle | undefined {
  if (flagAt(pod, 'spec', 'hostNetwork') || isTrue(node, 'Ready')) return undefined
  return {
    waiting: 'ContainerCreating',
    event: 'NetworkNotReady',
    message:
      'network is not ready: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
  }
}

interface Reference {
  readonly resource: 'secrets' | 'configmaps'
  readonly name: string
  /** A key that must be in it. */
  readonly key?: string
}

function mountObstacle(context: ClusterContext, pod: KubeObject): Obstacle | undefined {
  for (const volume of objectsAt(pod, 'spec', 'volumes')) {
    const sources = [volume, ...objectsAt(volume, 'projected', 'sources')]
    const missing = sources.flatMap(volumeReferences).find((one) => !isThere(context, pod, one))
    if (missing) {
      const kind = missing.resource.slice(0, -1)
      const message = `MountVolume.SetUp failed for volume "${textAt(volume, 'name')}" : ${kind} "${missing.name}" not found`
      return { waiting: 'ContainerCreating', event: 'FailedMount', message }
    }
  }
  const unbound = claimNames(pod).find((name) => {
    const claim = context.api.store.get(
      'persistentvolumeclaims',
      `${pod.metadata.namespace}/${name}`,
    )
    return textAt(claim, 'status', 'phase') !== 'Bound'
  })
  if (unbound !== undefined) {
    const message = `Unable to attach or mount volumes: claim "${unbound}" is not bound`
    return { waiting: 'ContainerCreating', event: 'FailedMount', message }
  }
  const apart = claimNames(pod).find((name) => !isAttached(context, pod, name))
  if (apart === undefined) return undefined
  const message = `Unable to attach or mount volumes: unmounted volumes=[${apart}], timed out waiting for the condition`
  return { waiting: 'ContainerCreating', event: 'FailedAttachVolume', message }
}

/** Whether a claim's volume is where the pod is; volumes of other drivers need no attaching. */
function isAttached({ api }: ClusterContext, pod: KubeObject, claimName: string): boolean {
  const claim = api.store.get('persistentvolumeclaims', `${pod.metadata.namespace}/${claimName}`)
  const volume = api.store.get('persistentvolumes', textAt(claim, 'spec', 'volumeName'))
  if (textAt(volume, 'spec', 'csi', 'driver') !== csiDriver) return true
  const node = textAt(pod, 'spec', 'nodeName')
  return api.store
    .list('volumeattachments.storage.k8s.io')
    .some(
      (attachment) =>
        textAt(attachment, 'spec', 'nodeName') === node &&
        textAt(attachment, 'spec', 'source', 'persistentVolumeName') === volume?.metadata.name &&
        flagAt(attachment, 'status', 'attached'),
    )
}

function volumeReferences(source: JsonObject): Reference[] {
  const secret = objectAt(source, 'secret')
  const map = objectAt(source, 'configMap')
  const found: Reference[] = []
  const secretName = textAt(secret, 'secretName') || textAt(secret, 'name')
  if (secretName !== '' && !flagAt(secret, 'optional')) {
    found.push({ resource: 'secrets', name: secretName })
  }
  const mapName = textAt(map, 'name')
  if (mapName !== '' && !flagAt(map, 'optional'))
    found.push({ resource: 'configmaps', name: mapName })
  return found
}

function variableObstacle(context: ClusterContext, pod: KubeObject): Obstacle | undefined {
  const containers = ['initContainers', 'containers'].flatMap((name) =>
    objectsAt(pod, 'spec', name),
  )
  const missing = containers
    .flatMap(variableReferences)
    .find((reference) => !isThere(context, pod, reference))
  if (!missing) return undefined
  const kind = missing.resource.slice(0, -1)
  const { namespace } = pod.metadata
  const object = context.api.store.get(missing.resource, `${namespace}/${missing.name}`)
  const message =
    object === undefined
      ? `${kind} "${missing.name}" not found`
      : `couldn't find key ${missing.key} in ${kind === 'secret' ? 'Secret' : 'ConfigMap'} ${namespace}/${missing.name}`
  return { waiting: 'CreateContainerConfigError', event: 'Failed', message: `Error: ${message}` }
}

function variableReferences(container: JsonObject): Reference[] {
  const fromKeys = objectsAt(container, 'env').flatMap((variable) => {
    const from = objectAt(variable, 'valueFrom')
    return [
      ...keyReference('secrets', objectAt(from, 'secretKeyRef')),
      ...keyReference('configmaps', objectAt(from, 'configMapKeyRef')),
    ]
  })
  const fromWholes = objectsAt(container, 'envFrom').flatMap((source) => [
    ...keyReference('secrets', objectAt(source, 'secretRef')),
    ...keyReference('configmaps', objectAt(source, 'configMapRef')),
  ])
  return [...fromKeys, ...fromWholes]
}

function keyReference(resource: Reference['resource'], reference: JsonObject): Reference[] {
  const [name, key] = [textAt(reference, 'name'), textAt(reference, 'key')]
  if (name === '' || flagAt(reference, 'optional')) return []
  return [key === '' ? { resource, name } : { resource, name, key }]
}

function isThere({ api }: ClusterContext, pod: KubeObject, reference: Reference): boolean {
  const object = api.store.get(reference.resource, `${pod.metadata.namespace}/${reference.name}`)
  if (!object || reference.key === undefined) return object !== undefined
  return objectAt(object, 'data')[reference.key] !== undefined
}
