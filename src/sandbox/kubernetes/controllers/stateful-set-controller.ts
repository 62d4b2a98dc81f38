import type { JsonObject } from '../../../lib/json.ts'
import { createUnlessThere } from '../api/create-object.ts'
import { isReady } from '../api/evict-pod.ts'
import { controllerOf, type KubeObject, objectKey } from '../model/kube-object.ts'
import { numberAt, objectAt, objectsAt, textAt, textMapAt } from '../model/read-json.ts'
import { type ClusterContext, putStatus } from './cluster-context.ts'
import type { Controller } from './controller.ts'
import { recordRevision } from './daemon-set-controller.ts'
import { createPod, deletePod, retryMs, templateHash } from './owned-pods.ts'

/** The StatefulSet controller: pods with numbers and volumes of their own, one after the other. */
export function statefulSetController(context: ClusterContext): Controller {
  const { store } = context.api
  return {
    name: 'statefulset-controller',
    concerns: ({ resource, type, object }) => {
      if (resource === 'statefulsets.apps') return type === 'DELETED' ? [] : [objectKey(object)]
      const owner = resource === 'pods' ? controllerOf(object) : undefined
      return owner?.kind === 'StatefulSet' ? [`${object.metadata.namespace}/${owner.name}`] : []
    },
    reconcile: (key) => {
      const set = store.get('statefulsets.apps', key)
      if (!set || set.metadata.deletionTimestamp !== undefined) return undefined
      return reconcile(context, set)
    },
  }
}

function reconcile(context: ClusterContext, set: KubeObject): number | undefined {
  const revision = `${set.metadata.name}-${templateHash(objectAt(set, 'spec', 'template'))}`
  recordRevision(context, set, revision.slice(set.metadata.name.length + 1))
  const made = step(context, set, revision)
  writeStatus(context, set, revision)
  return made ? undefined : retryMs
}

/** One thing at a time, unless the pods may be managed in parallel: make, replace, or remove. */
function step(context: ClusterContext, set: KubeObject, revision: string): boolean {
  const replicas = numberAt(set, 'spec', 'replicas') ?? 1
  const pods = new Map(context.pods.ofOwner(set.metadata.uid).map((pod) => [ordinal(pod), pod]))
  const parallel = textAt(set, 'spec', 'podManagementPolicy') === 'Parallel'
  for (const pod of pods.values()) {
    if (textAt(pod, 'status', 'phase') === 'Failed') deletePod(context, pod)
  }
  const filled = fillGaps(context, set, pods, { replicas, parallel, revision })
  if (filled !== 'all') return filled !== 'refused'
  const surplus = [...pods].filter(([index]) => index >= replicas).sort(([a], [b]) => b - a)
  for (const [, pod] of parallel ? surplus : surplus.slice(0, 1)) deletePod(context, pod)
  if (surplus.length === 0) replaceOne(context, set, pods, revision)
  return true
}

/** Makes missing pods: `waiting` where the next one has to wait for one that is not healthy yet. */
function fillGaps(
  context: ClusterContext,
  set: KubeObject,
  pods: ReadonlyMap<number, KubeObject>,
  how: { readonly replicas: number; readonly parallel: boolean; readonly revision: string },
): 'all' | 'waiting' | 'refused' {
  for (let index = 0; index < how.replicas; index++) {
    const pod = pods.get(index)
    if (!pod && !makePod(context, set, index, how.revision)) return 'refused'
    if (!how.parallel && !(pod && isHealthy(pod))) return 'waiting'
  }
  return 'all'
}

function ordinal(pod: KubeObject): number {
  return Number(pod.metadata.name.slice(pod.metadata.name.lastIndexOf('-') + 1))
}

function isHealthy(pod: KubeObject): boolean {
  return isReady(pod) && pod.metadata.deletionTimestamp === undefined
}

function replaceOne(
  context: ClusterContext,
  set: KubeObject,
  pods: ReadonlyMap<number, KubeObject>,
  revision: string,
): void {
  if (textAt(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return
  const partition = numberAt(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0
  const highestFirst = [...pods].sort(([a], [b]) => b - a)
  for (const [index, pod] of highestFirst) {
    if (index < partition) return
    const isOutdated = revisionOf(pod) !== revision
    if (isOutdated) deletePod(context, pod)
    if (isOutdated || !isHealthy(pod)) return
  }
}

function revisionOf(pod: KubeObject): string | undefined {
  return pod.metadata.labels?.['controller-revision-hash']
}

function makePod(
  context: ClusterContext,
  set: KubeObject,
  index: number,
  revision: string,
): boolean {
  const name = `${set.metadata.name}-${index}`
  const claims = objectsAt(set, 'spec', 'volumeClaimTemplates').map((template) =>
    makeClaim(context, set, template, name),
  )
  return createPod(context, set, {
    name,
    labels: {
      'controller-revision-hash': revision,
      'statefulset.kubernetes.io/pod-name': name,
      'apps.kubernetes.io/pod-index': String(index),
    },
    spec: (spec): JsonObject => ({
      ...spec,
      hostname: name,
      subdomain: textAt(set, 'spec', 'serviceName'),
      volumes: [...objectsAt(spec, 'volumes'), ...claims],
    }),
  })
}

function makeClaim(
  { api }: ClusterContext,
  set: KubeObject,
  template: JsonObject,
  podName: string,
): JsonObject {
  const volume = textAt(template, 'metadata', 'name')
  const claimName = `${volume}-${podName}`
  const { namespace = 'default' } = set.metadata
  const claim: KubeObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...objectAt(template, 'metadata'),
      name: claimName,
      namespace,
      labels: textMapAt(set, 'spec', 'selector', 'matchLabels'),
    },
    spec: objectAt(template, 'spec'),
  }
  const type = api.resources.builtin('persistentvolumeclaims')
  createUnlessThere(api, type, claim, { manager: 'kube-controller-manager' })
  return { name: volume, persistentVolumeClaim: { claimName } }
}

function writeStatus(context: ClusterContext, set: KubeObject, revision: string): void {
  const pods = context.pods.ofOwner(set.metadata.uid)
  const ready = pods.filter(isReady).length
  const updated = pods.filter((pod) => revisionOf(pod) === revision).length
  const replicas = numberAt(set, 'spec', 'replicas') ?? 1
  const done = updated === pods.length && ready === replicas
  const before = textAt(set, 'status', 'currentRevision')
  putStatus(context, 'statefulsets.apps', set, {
    observedGeneration: set.metadata.generation ?? 1,
    replicas: pods.length,
    readyReplicas: ready,
    availableReplicas: ready,
    updatedReplicas: updated,
    currentReplicas: done ? updated : pods.length - updated,
    currentRevision: done || before === '' ? revision : before,
    updateRevision: revision,
    collisionCount: 0,
  })
}
