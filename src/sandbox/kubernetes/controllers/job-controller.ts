import type { JsonObject } from '../../../lib/json.ts'
import { timestamp } from '../api/api-context.ts'
import { deleteObject } from '../api/delete-object.ts'
import { isReady } from '../api/evict-pod.ts'
import { controllerOf, type KubeObject, objectKey } from '../model/kube-object.ts'
import { flagAt, numberAt, objectAt, objectsAt, textAt } from '../model/read-json.ts'
import { type ClusterContext, putStatus } from './cluster-context.ts'
import { isTrue, withCondition } from './conditions.ts'
import type { Controller } from './controller.ts'
import { createPod, isActive, retryMs } from './owned-pods.ts'

/** The Job controller: pods until enough of them have ended well, or too many badly. */
export function jobController(context: ClusterContext): Controller {
  const { store } = context.api
  return {
    name: 'job-controller',
    concerns: ({ resource, type, object }) => {
      if (resource === 'jobs.batch') return type === 'DELETED' ? [] : [objectKey(object)]
      const owner = resource === 'pods' ? controllerOf(object) : undefined
      return owner?.kind === 'Job' ? [`${object.metadata.namespace}/${owner.name}`] : []
    },
    reconcile: (key) => {
      const job = store.get('jobs.batch', key)
      if (!job || job.metadata.deletionTimestamp !== undefined) return undefined
      if (isTrue(job, 'Complete') || isTrue(job, 'Failed')) return expire(context, job)
      return reconcile(context, job)
    },
  }
}

function reconcile(context: ClusterContext, job: KubeObject): number | undefined {
  const spec = objectAt(job, 'spec')
  const pods = context.pods.ofOwner(job.metadata.uid)
  const ended = (phase: string) =>
    pods.filter((pod) => textAt(pod, 'status', 'phase') === phase).length
  const [succeeded, failed] = [ended('Succeeded'), ended('Failed')]
  const active = pods.filter(isActive).length
  const completions = numberAt(spec, 'completions') ?? 1
  const limit = numberAt(spec, 'backoffLimit') ?? 6
  const left = Math.min(numberAt(spec, 'parallelism') ?? 1, completions - succeeded) - active
  let made = true
  if (!flagAt(spec, 'suspend') && failed <= limit) {
    for (let missing = left; missing > 0 && made; missing--) made = createPod(context, job)
  }
  const outcome = succeeded >= completions ? 'Complete' : failed > limit ? 'Failed' : undefined
  writeStatus(context, job, { succeeded, failed }, outcome)
  return made ? undefined : retryMs
}

function writeStatus(
  context: ClusterContext,
  job: KubeObject,
  counts: { succeeded: number; failed: number },
  outcome: 'Complete' | 'Failed' | undefined,
): void {
  const now = timestamp(context.api)
  const pods = context.pods.ofOwner(job.metadata.uid)
  const active = pods.filter(isActive)
  const before = objectAt(job, 'status')
  const status: JsonObject = {
    ...before,
    startTime: before['startTime'] ?? now,
    ...(active.length > 0 ? { active: active.length } : {}),
    ready: active.filter(isReady).length,
    ...(counts.succeeded > 0 ? { succeeded: counts.succeeded } : {}),
    ...(counts.failed > 0 ? { failed: counts.failed } : {}),
    terminating: 0,
    ...(outcome === 'Complete' ? { completionTime: now } : {}),
    ...(outcome === undefined ? {} : { conditions: outcomeConditions(job, outcome, now) }),
  }
  const { active: _, ...idle } = status
  putStatus(context, 'jobs.batch', job, active.length > 0 ? status : idle)
}

function outcomeConditions(
  job: KubeObject,
  outcome: 'Complete' | 'Failed',
  now: string,
): JsonObject[] {
  const words =
    outcome === 'Complete'
      ? { reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' }
      : { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' }
  const criterion = outcome === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget'
  return [criterion, outcome].reduce<JsonObject[]>(
    (list, type) =>
      withCondition(list, { type, status: 'True', ...words }, now, { lastProbeTime: now }),
    objectsAt(job, 'status', 'conditions'),
  )
}

/** Jobs with a time to live go when it is over. */
function expire(context: ClusterContext, job: KubeObject): number | undefined {
  const seconds = numberAt(job, 'spec', 'ttlSecondsAfterFinished')
  if (seconds === undefined) return undefined
  const ended = Date.parse(textAt(job, 'status', 'completionTime') || timestamp(context.api))
  const left = ended + seconds * 1_000 - context.api.clock.now()
  if (left > 0) return left
  deleteObject(context.api, context.api.resources.builtin('jobs.batch'), objectKey(job))
  return undefined
}
