import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../../lib/json.ts'
import { timestamp } from '../api/api-context.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { withSpec } from '../model/kube-object.ts'
import { flagAt, objectAt, objectsAt, textAt } from '../model/read-json.ts'
import { type ClusterContext, change } from './cluster-context.ts'
import { conditionOf } from './conditions.ts'
import type { Controller } from './controller.ts'

/** Taints that follow from a node's conditions; everything else in the list is left alone. */
const managed = new Set([
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/unschedulable',
  'node.kubernetes.io/network-unavailable',
])

/** The node controller: taints nodes by their conditions, as cordoned ones. */
export function nodeController(context: ClusterContext): Controller {
  return {
    name: 'node-lifecycle',
    concerns: ({ resource, type, object }) =>
      resource === 'nodes' && type !== 'DELETED' ? [object.metadata.name] : [],
    reconcile: (name) => {
      const node = context.api.store.get('nodes', name)
      if (node) retaint(context, node)
      return undefined
    },
  }
}

function retaint(context: ClusterContext, node: KubeObject): void {
  const taints = objectsAt(node, 'spec', 'taints')
  const wanted = wantedTaints(node)
  const isWanted = (taint: JsonObject) =>
    wanted.some(({ key, effect }) => key === taint['key'] && effect === taint['effect'])
  const kept = taints.filter((taint) => !managed.has(textAt(taint, 'key')) || isWanted(taint))
  const missing = wanted.filter(
    ({ key, effect }) => !kept.some((taint) => taint['key'] === key && taint['effect'] === effect),
  )
  const next = [
    ...kept,
    ...missing.map((taint) => ({ ...taint, timeAdded: timestamp(context.api) })),
  ]
  if (isDeepStrictEqual(next, taints)) return
  change(context, 'nodes', node.metadata.name, (live) => {
    const { taints: _, ...spec } = objectAt(live, 'spec')
    return withSpec(live, next.length === 0 ? spec : { ...spec, taints: next })
  })
}

function wantedTaints(node: KubeObject): { key: string; effect: string }[] {
  const ready = textAt(conditionOf(node, 'Ready'), 'status')
  const both = (key: string) =>
    ['NoSchedule', 'NoExecute'].map((effect) => ({ key: `node.kubernetes.io/${key}`, effect }))
  const network = textAt(conditionOf(node, 'NetworkUnavailable'), 'status') === 'True'
  return [
    ...(ready === 'False' ? both('not-ready') : []),
    ...(ready === 'Unknown' ? both('unreachable') : []),
    ...(flagAt(node, 'spec', 'unschedulable') ? both('unschedulable').slice(0, 1) : []),
    ...(network ? both('network-unavailable').slice(0, 1) : []),
  ]
}
