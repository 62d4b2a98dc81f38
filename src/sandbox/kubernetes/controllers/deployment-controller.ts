import type { JsonObject } from '../../../lib/json.ts'
import { timestamp } from '../api/api-context.ts'
import { createUnlessThere } from '../api/create-object.ts'
import { deleteObject } from '../api/delete-object.ts'
import {
  controllerOf,
  type KubeObject,
  objectKey,
  withMeta,
  withSpec,
} from '../model/kube-object.ts'
import { numberAt, objectAt, objectsAt, textAt, textMapAt } from '../model/read-json.ts'
import { type ClusterContext, change, putStatus } from './cluster-context.ts'
import { type ConditionChange, withCondition } from './conditions.ts'
import type { Controller } from './controller.ts'
import { countOf, ownerReference, templateHash } from './owned-pods.ts'

const revisionAnnotation = 'deployment.kubernetes.io/revision'

/** The Deployment controller: one ReplicaSet for each template, exchanged within the strategy's limits. */
export function deploymentController(context: ClusterContext): Controller {
  const { store } = context.api
  return {
    name: 'deployment-controller',
    concerns: ({ resource, type, object }) => {
      if (resource === 'deployments.apps') return type === 'DELETED' ? [] : [objectKey(object)]
      const owner = resource === 'replicasets.apps' ? controllerOf(object) : undefined
      return owner?.kind === 'Deployment' ? [`${object.metadata.namespace}/${owner.name}`] : []
    },
    reconcile: (key) => {
      const deployment = store.get('deployments.apps', key)
      if (deployment && deployment.metadata.deletionTimestamp === undefined) {
        reconcile(context, deployment)
      }
      return undefined
    },
  }
}

function setsOf({ api }: ClusterContext, deployment: KubeObject): KubeObject[] {
  return api.store
    .list('replicasets.apps', deployment.metadata.namespace)
    .filter((set) => controllerOf(set)?.uid === deployment.metadata.uid)
}

function reconcile(context: ClusterContext, deployment: KubeObject): void {
  const hash = templateHash(objectAt(deployment, 'spec', 'template'))
  const name = `${deployment.metadata.name}-${hash}`
  const isCurrent = (set: KubeObject) => set.metadata.name === name
  if (!setsOf(context, deployment).some(isCurrent)) makeSet(context, deployment, name, hash)
  const sets = setsOf(context, deployment)
  const current = sets.find(isCurrent)
  const old = sets.filter((set) => !isCurrent(set))
  if (!current) return
  markRevision(context, deployment, current, old)
  if (!isPaused(deployment)) {
    if (textAt(deployment, 'spec', 'strategy', 'type') === 'Recreate')
      recreate(context, deployment, current, old)
    else roll(context, deployment, current, old)
    forget(context, deployment, old)
  }
  writeStatus(context, deployment, name)
}

function isPaused(deployment: KubeObject): boolean {
  return objectAt(deployment, 'spec')['paused'] === true
}

function makeSet(
  context: ClusterContext,
  deployment: KubeObject,
  name: string,
  hash: string,
): void {
  const spec = objectAt(deployment, 'spec')
  const template = objectAt(spec, 'template')
  const own = { 'pod-template-hash': hash }
  const labels = { ...textMapAt(template, 'metadata', 'labels'), ...own }
  const selector = objectAt(spec, 'selector')
  const { namespace = 'default' } = deployment.metadata
  const set: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, namespace, labels, ownerReferences: [ownerReference(deployment)] },
    spec: {
      replicas: 0,
      selector: { ...selector, matchLabels: { ...textMapAt(selector, 'matchLabels'), ...own } },
      template: { ...template, metadata: { ...objectAt(template, 'metadata'), labels } },
    },
  }
  const type = context.api.resources.builtin('replicasets.apps')
  createUnlessThere(context.api, type, set, { manager: 'kube-controller-manager' })
}

/** The current set has the highest revision; the deployment shows it. */
function markRevision(
  context: ClusterContext,
  deployment: KubeObject,
  current: KubeObject,
  old: readonly KubeObject[],
): void {
  const highest = Math.max(0, ...old.map(revisionOf))
  const revision = Math.max(revisionOf(current), highest + 1)
  const mark = (resource: string, object: KubeObject) =>
    change(context, resource, objectKey(object), (live) =>
      withMeta(live, {
        annotations: { ...live.metadata.annotations, [revisionAnnotation]: String(revision) },
      }),
    )
  mark('replicasets.apps', current)
  mark('deployments.apps', deployment)
}

function revisionOf(set: KubeObject): number {
  return Number(set.metadata.annotations?.[revisionAnnotation] ?? 0)
}

function wantedOf(object: KubeObject): number {
  return numberAt(object, 'spec', 'replicas') ?? 1
}

function availableOf(set: KubeObject): number {
  return numberAt(set, 'status', 'availableReplicas') ?? 0
}

function sum(sets: readonly KubeObject[], of: (set: KubeObject) => number): number {
  return sets.reduce((total, set) => total + of(set), 0)
}

function scale(context: ClusterContext, set: KubeObject, replicas: number): void {
  if (wantedOf(set) === replicas) return
  change(context, 'replicasets.apps', objectKey(set), (live) =>
    withMeta(withSpec(live, { ...objectAt(live, 'spec'), replicas }), {
      generation: (live.metadata.generation ?? 0) + 1,
    }),
  )
}

function recreate(
  context: ClusterContext,
  deployment: KubeObject,
  current: KubeObject,
  old: readonly KubeObject[],
): void {
  for (const set of old) scale(context, set, 0)
  const left = old.some((set) => context.pods.ofOwner(set.metadata.uid).length > 0)
  if (!left) scale(context, current, wantedOf(deployment))
}

function roll(
  context: ClusterContext,
  deployment: KubeObject,
  current: KubeObject,
  old: readonly KubeObject[],
): void {
  const replicas = wantedOf(deployment)
  const rolling = objectAt(deployment, 'spec', 'strategy', 'rollingUpdate')
  const surge = countOf(rolling['maxSurge'], replicas, true)
  const resolved = countOf(rolling['maxUnavailable'], replicas, false)
  const unavailable = surge === 0 && resolved === 0 ? 1 : resolved
  const total = sum([current, ...old], wantedOf)
  const grown = Math.max(
    Math.min(replicas, wantedOf(current) + replicas + surge - total),
    Math.min(wantedOf(current), replicas),
  )
  scale(context, current, grown)
  let removable =
    sum([current, ...old], wantedOf) -
    (replicas - unavailable) -
    Math.max(0, wantedOf(current) - availableOf(current))
  for (const set of old) {
    const useless = Math.min(wantedOf(set) - availableOf(set), Math.max(0, removable))
    scale(context, set, wantedOf(set) - useless)
    removable -= useless
  }
  let room = sum([current, ...old], availableOf) - (replicas - unavailable)
  for (const set of old) {
    const live = context.api.store.get('replicasets.apps', objectKey(set)) ?? set
    const less = Math.min(wantedOf(live), Math.max(0, room))
    scale(context, live, wantedOf(live) - less)
    room -= less
  }
}

/** Old sets beyond the history's limit go. */
function forget(context: ClusterContext, deployment: KubeObject, old: readonly KubeObject[]): void {
  const limit = numberAt(deployment, 'spec', 'revisionHistoryLimit') ?? 10
  const empty = old.filter(
    (set) => wantedOf(set) === 0 && numberAt(set, 'status', 'replicas') === 0,
  )
  const surplus = [...empty].sort((a, b) => revisionOf(a) - revisionOf(b))
  const type = context.api.resources.builtin('replicasets.apps')
  for (const set of surplus.slice(0, Math.max(0, empty.length - limit))) {
    deleteObject(context.api, type, objectKey(set))
  }
}

function writeStatus(context: ClusterContext, deployment: KubeObject, currentName: string): void {
  const sets = setsOf(context, deployment)
  const current = sets.find((set) => set.metadata.name === currentName)
  const replicas = wantedOf(deployment)
  const existing = (set: KubeObject) => numberAt(set, 'status', 'replicas') ?? 0
  const available = sum(sets, availableOf)
  const updated = current ? existing(current) : 0
  const total = sum(sets, existing)
  const counts: JsonObject = {
    observedGeneration: deployment.metadata.generation ?? 1,
    replicas: total,
    updatedReplicas: updated,
    readyReplicas: sum(sets, (set) => numberAt(set, 'status', 'readyReplicas') ?? 0),
    availableReplicas: available,
    ...(replicas > available ? { unavailableReplicas: replicas - available } : {}),
  }
  const done = updated >= replicas && total <= updated && available >= replicas
  const rolling = objectAt(deployment, 'spec', 'strategy', 'rollingUpdate')
  const least = replicas - countOf(rolling['maxUnavailable'], replicas, false)
  const now = timestamp(context.api)
  const changes = [progress(currentName, done), availability(available >= least)]
  const conditions = changes.reduce<JsonObject[]>(
    (list, one) => withCondition(list, one, now, { lastUpdateTime: lastUpdate(list, one, now) }),
    objectsAt(deployment, 'status', 'conditions'),
  )
  putStatus(context, 'deployments.apps', deployment, { ...counts, conditions })
}

function lastUpdate(
  conditions: readonly JsonObject[],
  { type, reason }: ConditionChange,
  now: string,
) {
  const before = conditions.find((condition) => textAt(condition, 'type') === type)
  return textAt(before, 'reason') === reason ? textAt(before, 'lastUpdateTime') : now
}

function progress(set: string, done: boolean): ConditionChange {
  return done
    ? {
        type: 'Progressing',
        status: 'True',
        reason: 'NewReplicaSetAvailable',
        message: `ReplicaSet "${set}" has successfully progressed.`,
      }
    : {
        type: 'Progressing',
        status: 'True',
        reason: 'ReplicaSetUpdated',
        message: `ReplicaSet "${set}" is progressing.`,
      }
}

function availability(enough: boolean): ConditionChange {
  return enough
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      }
}
