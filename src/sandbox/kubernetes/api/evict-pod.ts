import { ApiError } from '../model/api-error.ts'
import { type KubeObject, objectKey, withStatus } from '../model/kube-object.ts'
import { numberAt, objectAt, objectsAt, textAt, valueAt } from '../model/read-json.ts'
import { matchesSelector } from '../model/selectors.ts'
import type { ApiContext } from './api-context.ts'
import { type DeleteOptions, deleteObject } from './delete-object.ts'

const refused = "Cannot evict pod as it would violate the pod's disruption budget."

/** Deletes a pod if its disruption budget allows it now, and counts that. Throws 429 where not. */
export function evictPod(context: ApiContext, pod: KubeObject, options: DeleteOptions): void {
  const type = context.resources.builtin('pods')
  const budgets = context.store
    .list('poddisruptionbudgets.policy', pod.metadata.namespace)
    .filter((budget) =>
      matchesSelector(valueAt(budget, 'spec', 'selector'), pod.metadata.labels ?? {}),
    )
  const counts = !isBeyondBudgets(pod)
  if (counts && budgets.length > 1) {
    const message =
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
    throw new ApiError(500, 'InternalError', message)
  }
  const [budget] = counts ? budgets : []
  if (budget) requireRoom(pod, budget)
  if (budget && !options.dryRun) takeRoom(context, budget, pod)
  deleteObject(context, type, objectKey(pod), options)
}

/** Pods that do not run, or are going already, need nobody's permission. */
function isBeyondBudgets(pod: KubeObject): boolean {
  const phase = textAt(pod, 'status', 'phase')
  return phase !== 'Running' || pod.metadata.deletionTimestamp !== undefined
}

function requireRoom(pod: KubeObject, budget: KubeObject): void {
  const { name, generation = 0 } = budget.metadata
  const status = objectAt(budget, 'status')
  if ((numberAt(status, 'observedGeneration') ?? 0) < generation) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10)
  }
  if ((numberAt(status, 'disruptionsAllowed') ?? 0) > 0) return
  const healthy = numberAt(status, 'currentHealthy') ?? 0
  const desired = numberAt(status, 'desiredHealthy') ?? 0
  const always = textAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow'
  if (!isReady(pod) && (always || (healthy >= desired && desired > 0))) return
  throw tooMany(
    `The disruption budget ${name} needs ${desired} healthy pods and has ${healthy} currently`,
  )
}

function tooMany(message: string, retryAfterSeconds = 0): ApiError {
  return new ApiError(429, 'TooManyRequests', refused, {
    causes: [{ reason: 'DisruptionBudget', message }],
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  })
}

/** The budget shrinks at once, so that two evictions cannot use the same room. */
function takeRoom({ store }: ApiContext, budget: KubeObject, pod: KubeObject): void {
  if (!isReady(pod)) return
  const status = objectAt(budget, 'status')
  const left = Math.max(0, (numberAt(status, 'disruptionsAllowed') ?? 0) - 1)
  store.put(
    'poddisruptionbudgets.policy',
    withStatus(budget, { ...status, disruptionsAllowed: left }),
  )
}

export function isReady(pod: KubeObject): boolean {
  return objectsAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True',
  )
}
