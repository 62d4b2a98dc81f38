import { isReady } from '../api/evict-pod.ts'
import { controllerOf, type KubeObject, objectKey } from '../model/kube-object.ts'
import { numberAt, textAt } from '../model/read-json.ts'
import { type ClusterContext, putStatus } from './cluster-context.ts'
import type { Controller } from './controller.ts'
import { byUselessness, createPod, deletePod, isActive, retryMs } from './owned-pods.ts'

/** The ReplicaSet controller: as many pods as asked for. */
export function replicaSetController(context: ClusterContext): Controller {
  const { store } = context.api
  return {
    name: 'replicaset-controller',
    concerns: ({ resource, type, object }) => {
      if (resource === 'replicasets.apps') return type === 'DELETED' ? [] : [objectKey(object)]
      const owner = resource === 'pods' ? controllerOf(object) : undefined
      return owner?.kind === 'ReplicaSet' ? [`${object.metadata.namespace}/${owner.name}`] : []
    },
    reconcile: (key) => {
      const replicaSet = store.get('replicasets.apps', key)
      if (!replicaSet || replicaSet.metadata.deletionTimestamp !== undefined) return undefined
      return reconcile(context, replicaSet)
    },
  }
}

function reconcile(context: ClusterContext, replicaSet: KubeObject): number | undefined {
  const wanted = numberAt(replicaSet, 'spec', 'replicas') ?? 1
  const active = context.pods.ofOwner(replicaSet.metadata.uid).filter(isActive)
  const surplus = [...active].sort(byUselessness).slice(0, Math.max(0, active.length - wanted))
  for (const pod of surplus) deletePod(context, pod)
  let made = true
  for (let missing = wanted - active.length; missing > 0 && made; missing--) {
    made = createPod(context, replicaSet)
  }
  const pods = context.pods.ofOwner(replicaSet.metadata.uid).filter(isActive)
  const ready = pods.filter(isReady).length
  putStatus(context, 'replicasets.apps', replicaSet, {
    replicas: pods.length,
    fullyLabeledReplicas: pods.length,
    readyReplicas: ready,
    availableReplicas: ready,
    terminatingReplicas: context.pods
      .ofOwner(replicaSet.metadata.uid)
      .filter((pod) => textAt(pod, 'metadata', 'deletionTimestamp') !== '').length,
    observedGeneration: replicaSet.metadata.generation ?? 1,
  })
  return made ? undefined : retryMs
}
