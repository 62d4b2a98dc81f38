import type { JsonObject } from '../../../lib/json.ts'
import { isReady } from '../api/evict-pod.ts'
import { controllerOf, type KubeObject, objectKey } from '../model/kube-object.ts'
import { flagAt, objectAt, objectsAt, textAt, textMapAt, valueAt } from '../model/read-json.ts'
import { make } from './bootstrap-objects.ts'
import { type ClusterContext, putStatus } from './cluster-context.ts'
import type { Controller } from './controller.ts'
import { matchesNode, namedNode, untolerated } from './node-fitness.ts'
import {
  countOf,
  createPod,
  deletePod,
  isActive,
  ownerReference,
  retryMs,
  templateHash,
} from './owned-pods.ts'

/** The DaemonSet controller: one pod on each node that the template fits. */
export function daemonSetController(context: ClusterContext): Controller {
  const { store } = context.api
  return {
    name: 'daemonset-controller',
    concerns: ({ resource, type, object }) => {
      if (resource === 'daemonsets.apps') return type === 'DELETED' ? [] : [objectKey(object)]
      if (resource === 'nodes') return store.list('daemonsets.apps').map(objectKey)
      const owner = resource === 'pods' ? controllerOf(object) : undefined
      return owner?.kind === 'DaemonSet' ? [`${object.metadata.namespace}/${owner.name}`] : []
    },
    reconcile: (key) => {
      const daemonSet = store.get('daemonsets.apps', key)
      if (!daemonSet || daemonSet.metadata.deletionTimestamp !== undefined) return undefined
      return reconcile(context, daemonSet)
    },
  }
}

function reconcile(context: ClusterContext, daemonSet: KubeObject): number | undefined {
  const hash = templateHash(objectAt(daemonSet, 'spec', 'template'))
  recordRevision(context, daemonSet, hash)
  const nodes = context.api.store.list('nodes')
  const pods = context.pods.ofOwner(daemonSet.metadata.uid)
  const made = placePods(context, daemonSet, nodes, hash)
  for (const pod of pods) if (textAt(pod, 'status', 'phase') === 'Failed') deletePod(context, pod)
  rollOut(context, daemonSet, pods, hash)
  writeStatus(context, daemonSet, nodes, hash)
  return made ? undefined : retryMs
}

/** A pod where one is missing, none where none may be; false where the API refused one. */
function placePods(
  context: ClusterContext,
  daemonSet: KubeObject,
  nodes: readonly KubeObject[],
  hash: string,
): boolean {
  const byNode = podsByNode(context.pods.ofOwner(daemonSet.metadata.uid))
  let made = true
  for (const node of nodes) {
    const here = byNode.get(node.metadata.name) ?? []
    const verdict = verdictOn(daemonSet, node)
    if (verdict === 'leave') for (const pod of here) deletePod(context, pod)
    if (verdict === 'run' && here.length === 0 && made) {
      made = createPod(context, daemonSet, planFor(node, hash))
    }
  }
  return made
}

function podsByNode(pods: readonly KubeObject[]): Map<string, KubeObject[]> {
  const byNode = new Map<string, KubeObject[]>()
  for (const pod of pods) {
    const node = textAt(pod, 'spec', 'nodeName') || (namedNode(objectAt(pod, 'spec')) ?? '')
    byNode.set(node, [...(byNode.get(node) ?? []), pod])
  }
  return byNode
}

/** `stay`: what runs there may go on, but nothing new is started. */
function verdictOn(daemonSet: KubeObject, node: KubeObject): 'run' | 'stay' | 'leave' {
  const spec = objectAt(daemonSet, 'spec', 'template', 'spec')
  if (!matchesNode(spec, node)) return 'leave'
  const taint = untolerated(node, daemonTolerations(spec))
  if (taint === undefined) return 'run'
  return textAt(taint, 'effect') === 'NoExecute' ? 'leave' : 'stay'
}

/** What every daemon's pod tolerates besides what its template says. */
function daemonTolerations(spec: JsonObject): JsonObject[] {
  const always = [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
    { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
    { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
    { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
    { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
  ]
  const onHost = {
    key: 'node.kubernetes.io/network-unavailable',
    operator: 'Exists',
    effect: 'NoSchedule',
  }
  const own = objectsAt(spec, 'tolerations')
  return [...own, ...always, ...(flagAt(spec, 'hostNetwork') ? [onHost] : [])]
}

function planFor(node: KubeObject, hash: string) {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node.metadata.name] }]
  return {
    labels: { 'controller-revision-hash': hash, 'pod-template-generation': '1' },
    spec: (spec: JsonObject): JsonObject => ({
      ...spec,
      tolerations: daemonTolerations(spec),
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
        },
      },
    }),
  }
}

function rollOut(
  context: ClusterContext,
  daemonSet: KubeObject,
  pods: readonly KubeObject[],
  hash: string,
): void {
  if (textAt(daemonSet, 'spec', 'updateStrategy', 'type') === 'OnDelete') return
  const rolling = objectAt(daemonSet, 'spec', 'updateStrategy', 'rollingUpdate')
  const most = Math.max(1, countOf(rolling['maxUnavailable'], pods.length, true))
  const outdated = pods.filter((pod) => isActive(pod) && hashOf(pod) !== hash)
  const unavailable = pods.filter((pod) => !isActive(pod) || !isReady(pod)).length
  const useless = outdated.filter((pod) => !isReady(pod))
  const room = Math.max(0, most - unavailable)
  const useful = outdated.filter(isReady).slice(0, room)
  for (const pod of [...useless, ...useful]) deletePod(context, pod)
}

function hashOf(pod: KubeObject): string | undefined {
  return pod.metadata.labels?.['controller-revision-hash']
}

function writeStatus(
  context: ClusterContext,
  daemonSet: KubeObject,
  nodes: readonly KubeObject[],
  hash: string,
): void {
  const verdicts = new Map(nodes.map((node) => [node.metadata.name, verdictOn(daemonSet, node)]))
  const desired = [...verdicts.values()].filter((verdict) => verdict === 'run').length
  const pods = context.pods.ofOwner(daemonSet.metadata.uid).filter(isActive)
  const placed = pods.filter((pod) => verdicts.get(textAt(pod, 'spec', 'nodeName')) === 'run')
  const ready = placed.filter(isReady).length
  putStatus(context, 'daemonsets.apps', daemonSet, {
    currentNumberScheduled: placed.length,
    desiredNumberScheduled: desired,
    numberAvailable: ready,
    numberMisscheduled: pods.filter(
      (pod) => verdicts.get(textAt(pod, 'spec', 'nodeName')) === 'stay',
    ).length,
    numberReady: ready,
    numberUnavailable: desired - ready,
    observedGeneration: daemonSet.metadata.generation ?? 1,
    updatedNumberScheduled: placed.filter((pod) => hashOf(pod) === hash).length,
  })
}

/** The history that `kubectl rollout history` reads. */
export function recordRevision(context: ClusterContext, owner: KubeObject, hash: string): void {
  const { name, namespace = 'default' } = owner.metadata
  const key = `${namespace}/${name}-${hash}`
  const { store } = context.api
  if (store.get('controllerrevisions.apps', key)) return
  const others = store
    .list('controllerrevisions.apps', namespace)
    .filter((revision) => controllerOf(revision)?.uid === owner.metadata.uid)
  const template = valueAt(owner, 'spec', 'template') ?? {}
  make(context, 'controllerrevisions.apps', {
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: {
        ...textMapAt(owner, 'spec', 'template', 'metadata', 'labels'),
        'controller-revision-hash': hash,
      },
      ownerReferences: [ownerReference(owner)],
    },
    data: { spec: { template: { ...objectAt(template), $patch: 'replace' } } },
    revision: others.length + 1,
  })
}
