import type { JsonObject } from '../../../lib/json.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { objectAt, objectsAt, textAt, textMapAt } from '../model/read-json.ts'
import { matchesExpressions } from '../model/selectors.ts'

/** Whether one of these tolerations covers a taint. */
export function tolerates(tolerations: readonly JsonObject[], taint: JsonObject): boolean {
  return tolerations.some((toleration) => {
    const key = textAt(toleration, 'key')
    const effect = textAt(toleration, 'effect')
    if (effect !== '' && effect !== textAt(taint, 'effect')) return false
    if (key === '') return textAt(toleration, 'operator') === 'Exists'
    if (key !== textAt(taint, 'key')) return false
    return (
      textAt(toleration, 'operator') === 'Exists' ||
      textAt(toleration, 'value') === textAt(taint, 'value')
    )
  })
}

/** The first taint that keeps a pod with these tolerations off a node. */
export function untolerated(
  node: KubeObject,
  tolerations: readonly JsonObject[],
): JsonObject | undefined {
  return objectsAt(node, 'spec', 'taints').find(
    (taint) => textAt(taint, 'effect') !== 'PreferNoSchedule' && !tolerates(tolerations, taint),
  )
}

/** Whether a node has what a pod's node selector and required node affinity ask for. */
export function matchesNode(podSpec: JsonObject, node: KubeObject): boolean {
  const labels = node.metadata.labels ?? {}
  const selected = Object.entries(textMapAt(podSpec, 'nodeSelector')).every(
    ([key, value]) => labels[key] === value,
  )
  if (!selected) return false
  const required = objectAt(
    podSpec,
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
  )
  return matchesTerms(objectsAt(required, 'nodeSelectorTerms'), node)
}

/** Whether one of the terms fits; no terms fit everything. */
export function matchesTerms(terms: readonly JsonObject[], node: KubeObject): boolean {
  const labels = node.metadata.labels ?? {}
  return (
    terms.length === 0 ||
    terms.some(
      (term) =>
        matchesExpressions(objectsAt(term, 'matchExpressions'), labels) &&
        matchesExpressions(objectsAt(term, 'matchFields'), { 'metadata.name': node.metadata.name }),
    )
  )
}

/** The node that a pod was made for, as pods of DaemonSets are. */
export function namedNode(podSpec: JsonObject): string | undefined {
  const required = objectAt(
    podSpec,
    'affinity',
    'nodeAffinity',
    'requiredDuringSchedulingIgnoredDuringExecution',
  )
  const field = objectsAt(required, 'nodeSelectorTerms').flatMap((term) =>
    objectsAt(term, 'matchFields'),
  )[0]
  return textAt(field, 'key') === 'metadata.name' ? textAt(field, 'values', 0) : undefined
}
