import type { JsonObject } from '../../../lib/json.ts'
import { timestamp } from '../api/api-context.ts'
import { isReady } from '../api/evict-pod.ts'
import { controllerOf, type KubeObject, objectKey } from '../model/kube-object.ts'
import { numberAt, objectsAt, valueAt } from '../model/read-json.ts'
import { matchesSelector } from '../model/selectors.ts'
import { type ClusterContext, putStatus } from './cluster-context.ts'
import { withCondition } from './conditions.ts'
import type { Controller } from './controller.ts'
import { countOf, isActive } from './owned-pods.ts'

const resource = 'poddisruptionbudgets.policy'

const scaled: Readonly<Record<string, string>> = {
  ReplicaSet: 'replicasets.apps',
  StatefulSet: 'statefulsets.apps',
}

/** The disruption controller: how many of the pods of each budget may be evicted now. */
export function disruptionController(context: ClusterContext): Controller {
  const { store } = context.api
  return {
    name: 'disruption',
    concerns: (event) => {
      if (event.resource === resource)
        return event.type === 'DELETED' ? [] : [objectKey(event.object)]
      if (event.resource !== 'pods') return []
      return store
        .list(resource, event.object.metadata.namespace)
        .filter((budget) => covers(budget, event.object))
        .map(objectKey)
    },
    reconcile: (key) => {
      const budget = store.get(resource, key)
      if (budget) writeStatus(context, budget)
      return undefined
    },
  }
}

function covers(budget: KubeObject, pod: KubeObject): boolean {
  return matchesSelector(valueAt(budget, 'spec', 'selector'), pod.metadata.labels ?? {})
}

function writeStatus(context: ClusterContext, budget: KubeObject): void {
  const pods = context.api.store
    .list('pods', budget.metadata.namespace)
    .filter((pod) => covers(budget, pod) && isActive(pod))
  const expected = expectedPods(context, pods)
  const healthy = pods.filter(isReady).length
  const most = valueAt(budget, 'spec', 'maxUnavailable')
  const least = valueAt(budget, 'spec', 'minAvailable')
  const desired =
    most !== undefined
      ? Math.max(0, expected - countOf(most, expected, true))
      : countOf(least ?? 1, expected, true)
  const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0
  putStatus(context, resource, budget, {
    observedGeneration: budget.metadata.generation ?? 1,
    expectedPods: expected,
    currentHealthy: healthy,
    desiredHealthy: desired,
    disruptionsAllowed: allowed,
    conditions: conditions(context, budget, allowed > 0),
  })
}

/** What the owners of these pods want, and the pods that nobody owns. */
function expectedPods({ api }: ClusterContext, pods: readonly KubeObject[]): number {
  const owners = new Map(
    pods.flatMap((pod) => {
      const owner = controllerOf(pod)
      return owner ? [[owner.uid, { owner, namespace: pod.metadata.namespace }] as const] : []
    }),
  )
  const wanted = [...owners.values()].map(({ owner, namespace }) => {
    const object = api.store.get(scaled[owner.kind] ?? '', `${namespace}/${owner.name}`)
    const own = pods.filter((pod) => controllerOf(pod)?.uid === owner.uid).length
    return numberAt(object, 'spec', 'replicas') ?? own
  })
  const unowned = pods.filter((pod) => controllerOf(pod) === undefined).length
  return wanted.reduce((total, count) => total + count, unowned)
}

function conditions(context: ClusterContext, budget: KubeObject, allowed: boolean): JsonObject[] {
  return withCondition(
    objectsAt(budget, 'status', 'conditions'),
    {
      type: 'DisruptionAllowed',
      status: allowed ? 'True' : 'False',
      reason: allowed ? 'SufficientPods' : 'InsufficientPods',
      message: '',
    },
    timestamp(context.api),
    { observedGeneration: budget.metadata.generation ?? 1 },
  )
}
