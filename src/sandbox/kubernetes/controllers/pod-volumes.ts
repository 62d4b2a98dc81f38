import { type KubeObject, objectKey, withMeta } from '../model/kube-object.ts'
import { objectsAt, textAt } from '../model/read-json.ts'
import { type ClusterContext, change } from './cluster-context.ts'
import { matchesTerms } from './node-fitness.ts'

export const selectedNode = 'volume.kubernetes.io/selected-node'

/** What a pod's claims mean for where it can run. */
export type VolumePlacement =
  | { readonly kind: 'bound'; readonly fits: (node: KubeObject) => boolean }
  | { readonly kind: 'blocked'; readonly why: string }
  | {
      readonly kind: 'wait-for-node'
      readonly choose: (claim: KubeObject, node: string) => void
    }

/** The claims that a pod mounts and that are there. */
export function claimsOf({ api }: ClusterContext, pod: KubeObject): KubeObject[] {
  return claimNames(pod).flatMap((name) => {
    const claim = api.store.get('persistentvolumeclaims', `${pod.metadata.namespace}/${name}`)
    return claim ? [claim] : []
  })
}

export function claimNames(pod: KubeObject): string[] {
  return objectsAt(pod, 'spec', 'volumes').flatMap((volume) => {
    const name = textAt(volume, 'persistentVolumeClaim', 'claimName')
    return name === '' ? [] : [name]
  })
}

export function volumePlacement(context: ClusterContext, pod: KubeObject): VolumePlacement {
  const { store } = context.api
  const claims = claimsOf(context, pod)
  const missing = claimNames(pod).find(
    (name) => !claims.some((claim) => claim.metadata.name === name),
  )
  if (missing !== undefined) {
    return { kind: 'blocked', why: `persistentvolumeclaim "${missing}" not found` }
  }
  const unbound = claims.filter((claim) => textAt(claim, 'status', 'phase') !== 'Bound')
  if (unbound.some((claim) => !waitsForConsumer(context, claim))) {
    return { kind: 'blocked', why: 'pod has unbound immediate PersistentVolumeClaims' }
  }
  if (unbound.length > 0) {
    const choose = (claim: KubeObject, node: string) =>
      change(context, 'persistentvolumeclaims', objectKey(claim), (live) =>
        withMeta(live, { annotations: { ...live.metadata.annotations, [selectedNode]: node } }),
      )
    return { kind: 'wait-for-node', choose }
  }
  const volumes = claims.map((claim) =>
    store.get('persistentvolumes', textAt(claim, 'spec', 'volumeName')),
  )
  const fits = (node: KubeObject) =>
    volumes.every((volume) =>
      matchesTerms(
        objectsAt(volume, 'spec', 'nodeAffinity', 'required', 'nodeSelectorTerms'),
        node,
      ),
    )
  return { kind: 'bound', fits }
}

function waitsForConsumer({ api }: ClusterContext, claim: KubeObject): boolean {
  const name = textAt(claim, 'spec', 'storageClassName')
  const storageClass = api.store.get('storageclasses.storage.k8s.io', name)
  return textAt(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer'
}
