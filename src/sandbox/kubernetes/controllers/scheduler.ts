import { timestamp } from '../api/api-context.ts'
import {
  controllerOf,
  type KubeObject,
  objectKey,
  withSpec,
  withStatus,
} from '../model/kube-object.ts'
import { flagAt, objectAt, objectsAt, textAt, textsAt, valueAt } from '../model/read-json.ts'
import { matchesSelector } from '../model/selectors.ts'
import { type ClusterContext, change } from './cluster-context.ts'
import { withCondition } from './conditions.ts'
import type { Controller } from './controller.ts'
import { matchesNode, namedNode, untolerated } from './node-fitness.ts'
import { claimsOf, type VolumePlacement, volumePlacement } from './pod-volumes.ts'
import { recordEvent } from './record-event.ts'

const podsPerNode = 110

/** The scheduler: gives every pod that waits the node that fits and has least to do. */
export function scheduler(context: ClusterContext): Controller {
  const relevant = new Set(['pods', 'nodes', 'persistentvolumeclaims', 'csinodes.storage.k8s.io'])
  return {
    name: 'scheduler',
    concerns: ({ resource, object, type }) => {
      if (!relevant.has(resource)) return []
      const isNews =
        resource !== 'pods' || type !== 'MODIFIED' || textAt(object, 'spec', 'nodeName') === ''
      return isNews ? ['waiting'] : []
    },
    reconcile: () => {
      const nodes = context.api.store.list('nodes')
      for (const pod of context.pods.unscheduled()) {
        if (pod.metadata.deletionTimestamp === undefined) schedule(context, pod, nodes)
      }
      return undefined
    },
  }
}

function schedule(context: ClusterContext, pod: KubeObject, nodes: readonly KubeObject[]): void {
  const spec = objectAt(pod, 'spec')
  const placement = volumePlacement(context, pod)
  const named = namedNode(spec)
  const candidates =
    named === undefined ? nodes : nodes.filter(({ metadata }) => metadata.name === named)
  const refusals = new Map<string, number>()
  const fitting = candidates.filter((node) => {
    const refusal = refusalOf(context, pod, node, placement)
    if (refusal !== undefined) refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1)
    return refusal === undefined
  })
  const chosen = leastBusy(context, pod, fitting)
  if (!chosen) {
    postpone(context, pod, nodes.length, refusals)
    return
  }
  if (placement.kind === 'wait-for-node') {
    for (const claim of claimsOf(context, pod)) placement.choose(claim, chosen.metadata.name)
    return
  }
  bind(context, pod, chosen)
}

function refusalOf(
  context: ClusterContext,
  pod: KubeObject,
  node: KubeObject,
  placement: VolumePlacement,
): string | undefined {
  const spec = objectAt(pod, 'spec')
  if (placement.kind === 'blocked') return placement.why
  if (!matchesNode(spec, node)) return "node(s) didn't match Pod's node affinity/selector"
  const tolerations = objectsAt(spec, 'tolerations')
  const taint = untolerated(node, tolerations)
  if (taint) {
    const value = textAt(taint, 'value')
    return `node(s) had untolerated taint(s) {${textAt(taint, 'key')}${value === '' ? ': ' : `: ${value}`}}`
  }
  if (context.pods.countOnNode(node.metadata.name) >= podsPerNode) return 'Too many pods'
  if (placement.kind === 'bound' && !placement.fits(node)) {
    return "node(s) didn't match PersistentVolume's node affinity"
  }
  if (hasPortClash(context, pod, node))
    return "node(s) didn't have free ports for the requested pod ports"
  return isApart(context, pod, node) ? undefined : "node(s) didn't match pod anti-affinity rules"
}

function hostPorts(pod: KubeObject): string[] {
  return objectsAt(pod, 'spec', 'containers')
    .flatMap((container) => objectsAt(container, 'ports'))
    .filter((port) => port['hostPort'] !== undefined && port['hostPort'] !== 0)
    .map((port) => `${port['hostPort']}/${textAt(port, 'protocol')}`)
}

function hasPortClash({ pods }: ClusterContext, pod: KubeObject, node: KubeObject): boolean {
  const wanted = hostPorts(pod)
  if (wanted.length === 0) return false
  return pods
    .onNode(node.metadata.name)
    .some((other) => hostPorts(other).some((port) => wanted.includes(port)))
}

/** Required pod anti-affinity, within the topology that each of its terms names. */
function isApart({ api, pods }: ClusterContext, pod: KubeObject, node: KubeObject): boolean {
  const terms = objectsAt(
    pod,
    'spec',
    'affinity',
    'podAntiAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
  )
  return terms.every((term) => {
    const topology = textAt(term, 'topologyKey')
    const place = node.metadata.labels?.[topology]
    if (place === undefined) return true
    const namespaces = textsAt(term, 'namespaces')
    const neighbours = api.store
      .list('nodes')
      .filter(({ metadata }) => metadata.labels?.[topology] === place)
      .flatMap(({ metadata }) => pods.onNode(metadata.name))
    return !neighbours.some(
      (other) =>
        (namespaces.length > 0
          ? namespaces.includes(other.metadata.namespace ?? '')
          : other.metadata.namespace === pod.metadata.namespace) &&
        matchesSelector(valueAt(term, 'labelSelector'), other.metadata.labels ?? {}),
    )
  })
}

/** Spread first over siblings, then over everything. */
function leastBusy(
  { pods }: ClusterContext,
  pod: KubeObject,
  nodes: readonly KubeObject[],
): KubeObject | undefined {
  const owner = controllerOf(pod)?.uid
  const siblings = new Map<string, number>()
  for (const sibling of owner === undefined ? [] : pods.ofOwner(owner)) {
    const node = textAt(sibling, 'spec', 'nodeName')
    siblings.set(node, (siblings.get(node) ?? 0) + 1)
  }
  const load = ({ metadata }: KubeObject) =>
    (siblings.get(metadata.name) ?? 0) * 1_000 + pods.countOnNode(metadata.name)
  return nodes.reduce<KubeObject | undefined>(
    (best, node) => (best === undefined || load(node) < load(best) ? node : best),
    undefined,
  )
}

function bind(context: ClusterContext, pod: KubeObject, node: KubeObject): void {
  const now = timestamp(context.api)
  const { name } = node.metadata
  change(context, 'pods', objectKey(pod), (live) =>
    withStatus(withSpec(live, { ...objectAt(live, 'spec'), nodeName: name }), {
      ...objectAt(live, 'status'),
      conditions: withCondition(
        objectsAt(live, 'status', 'conditions'),
        { type: 'PodScheduled', status: 'True' },
        now,
      ),
    }),
  )
  recordEvent(context.api, pod, {
    type: 'Normal',
    reason: 'Scheduled',
    message: `Successfully assigned ${objectKey(pod)} to ${name}`,
    source: 'default-scheduler',
  })
}

function postpone(
  context: ClusterContext,
  pod: KubeObject,
  total: number,
  refusals: ReadonlyMap<string, number>,
): void {
  const reasons = [...refusals].map(([reason, count]) => `${count} ${reason}`).sort()
  const why =
    reasons.length === 0
      ? 'no nodes available to schedule pods'
      : `${reasons.join(', ')}. preemption: 0/${total} nodes are available: ${total} Preemption is not helpful for scheduling`
  const message = reasons.length === 0 ? why : `0/${total} nodes are available: ${why}.`
  const before = objectsAt(pod, 'status', 'conditions').find(
    (condition) => textAt(condition, 'type') === 'PodScheduled',
  )
  if (textAt(before, 'message') === message) return
  change(context, 'pods', objectKey(pod), (live) =>
    withStatus(live, {
      ...objectAt(live, 'status'),
      conditions: withCondition(
        objectsAt(live, 'status', 'conditions'),
        { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message },
        timestamp(context.api),
      ),
    }),
  )
  if (flagAt(pod, 'spec', 'hostNetwork') && reasons.length === 0) return
  recordEvent(context.api, pod, {
    type: 'Warning',
    reason: 'FailedScheduling',
    message,
    source: 'default-scheduler',
  })
}
