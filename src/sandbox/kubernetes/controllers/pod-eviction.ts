import { deleteObject } from '../api/delete-object.ts'
import { type KubeObject, objectKey } from '../model/kube-object.ts'
import { numberAt, objectsAt, textAt } from '../model/read-json.ts'
import type { ClusterContext } from './cluster-context.ts'
import type { Controller } from './controller.ts'
import { tolerates } from './node-fitness.ts'
import { deletePod } from './owned-pods.ts'

/** Removes pods from nodes that are gone, and evicts them from nodes whose taints they do not bear. */
export function podEviction(context: ClusterContext): Controller {
  const { store } = context.api
  /** Pods, by uid, whose time on their node is running. */
  const counted = new Set<string>()
  return {
    name: 'pod-eviction',
    concerns: ({ resource, object, type }) =>
      resource === 'nodes' && type !== 'ADDED' ? [object.metadata.name] : [],
    reconcile: (name) => {
      const node = store.get('nodes', name)
      if (!node) collect(context, name)
      else for (const pod of context.pods.onNode(name)) judge(context, counted, node, pod)
      return undefined
    },
  }
}

function collect({ api, pods }: ClusterContext, node: string): void {
  const type = api.resources.builtin('pods')
  for (const pod of pods.onNode(node)) {
    deleteObject(api, type, objectKey(pod), { gracePeriodSeconds: 0 })
  }
}

function judge(
  context: ClusterContext,
  counted: Set<string>,
  node: KubeObject,
  pod: KubeObject,
): void {
  const patience = patienceOf(node, pod)
  if (patience === undefined) return
  if (patience === 0) {
    deletePod(context, pod)
    return
  }
  const { uid = '' } = pod.metadata
  if (counted.has(uid)) return
  counted.add(uid)
  context.later(patience, () => {
    counted.delete(uid)
    const live = context.api.store.get('pods', objectKey(pod))
    const place = context.api.store.get('nodes', node.metadata.name)
    if (!live || live.metadata.uid !== uid || !place) return
    if (patienceOf(place, live) !== undefined) deletePod(context, live)
  })
}

/** How long a pod may stay with its node's taints, in milliseconds; undefined: for ever. */
function patienceOf(node: KubeObject, pod: KubeObject): number | undefined {
  const tolerations = objectsAt(pod, 'spec', 'tolerations')
  const limits = objectsAt(node, 'spec', 'taints')
    .filter((taint) => textAt(taint, 'effect') === 'NoExecute')
    .map((taint) => {
      const found = tolerations.filter((toleration) => tolerates([toleration], taint))
      if (found.length === 0) return 0
      const seconds = found.map((toleration) => numberAt(toleration, 'tolerationSeconds'))
      return seconds.includes(undefined)
        ? Number.POSITIVE_INFINITY
        : Math.min(...seconds.map((second) => (second ?? 0) * 1_000))
    })
  const shortest = Math.min(Number.POSITIVE_INFINITY, ...limits)
  return shortest === Number.POSITIVE_INFINITY ? undefined : shortest
}
