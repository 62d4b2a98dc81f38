import type { JsonObject } from '../../../lib/json.ts'
import { type FieldProblem, forbidden } from '../model/api-error.ts'
import { type KubeObject, withSpec, withStatus } from '../model/kube-object.ts'
import { numberAt, objectAt, objectsAt, textAt } from '../model/read-json.ts'
import type { KindRules } from './kind-rules.ts'
import { podSpecDefaults } from './pod-defaults.ts'

/** How long a pod stays on a node that is not ready or cannot be reached, as admission adds it. */
const eviction = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key) => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}))

const builtinPriorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

export const podRules: KindRules = {
  defaults: (pod) => withSpec(pod, podSpecDefaults(objectAt(pod, 'spec'))),

  onCreate: (context, pod) => {
    const spec = objectAt(pod, 'spec')
    const account = textAt(spec, 'serviceAccountName') || 'default'
    const isMirror = pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
    const { namespace = '', name } = pod.metadata
    if (!isMirror && !context.store.get('serviceaccounts', `${namespace}/${account}`)) {
      const why = `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`
      throw forbidden(context.resources.builtin('pods'), name, why)
    }
    const className = textAt(spec, 'priorityClassName')
    const priorityClass = context.store.get('priorityclasses.scheduling.k8s.io', className)
    const priority = numberAt(priorityClass, 'value') ?? builtinPriorities[className] ?? 0
    const filled = withSpec(pod, {
      ...spec,
      serviceAccountName: account,
      serviceAccount: account,
      enableServiceLinks: spec['enableServiceLinks'] ?? true,
      preemptionPolicy: spec['preemptionPolicy'] ?? 'PreemptLowerPriority',
      priority,
      tolerations: isMirror ? (spec['tolerations'] ?? []) : withEviction(spec),
    })
    return withStatus(filled, { phase: 'Pending', qosClass: qualityOf(spec) })
  },

  validate: (pod, before) => {
    const spec = objectAt(pod, 'spec')
    const containers = objectsAt(spec, 'containers')
    const problems: FieldProblem[] = []
    if (containers.length === 0) problems.push(required('spec.containers', ''))
    for (const [index, container] of containers.entries()) {
      if (textAt(container, 'image') !== '') continue
      problems.push(required(`spec.containers[${index}].image`, ''))
    }
    if (before) problems.push(...immutable(objectAt(before, 'spec'), spec))
    return problems
  },
}

function withEviction(spec: JsonObject): JsonObject[] {
  const own = objectsAt(spec, 'tolerations')
  const covered = (key: string) =>
    own.some((toleration) => {
      const [ownKey, effect] = [textAt(toleration, 'key'), textAt(toleration, 'effect')]
      return (ownKey === key || ownKey === '') && (effect === 'NoExecute' || effect === '')
    })
  return [...own, ...eviction.filter(({ key }) => !covered(key))]
}

function qualityOf(spec: JsonObject): string {
  const containers = objectsAt(spec, 'containers')
  const sizes = containers.map((container) => objectAt(container, 'resources'))
  if (sizes.every((size) => Object.keys(size).length === 0)) return 'BestEffort'
  const guaranteed = sizes.every((size) => {
    const limits = objectAt(size, 'limits')
    const requests = objectAt(size, 'requests')
    return ['cpu', 'memory'].every(
      (name) =>
        limits[name] !== undefined &&
        (requests[name] === undefined || requests[name] === limits[name]),
    )
  })
  return guaranteed ? 'Guaranteed' : 'Burstable'
}

export function required(field: string, detail: string): FieldProblem {
  const message = detail === '' ? 'Required value' : `Required value: ${detail}`
  return { field, reason: 'FieldValueRequired', message }
}

/** What may never change in a running pod, of what clients try. */
function immutable(before: JsonObject, after: JsonObject): FieldProblem[] {
  return ['nodeName', 'serviceAccountName', 'restartPolicy', 'hostNetwork'].flatMap((name) => {
    if (before[name] === after[name] || (name === 'nodeName' && before[name] === undefined))
      return []
    const message =
      'Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'
    return [{ field: 'spec', reason: 'FieldValueInvalid', message } as const]
  })
}

/** The labels of a template that its selector must fit; a problem where it does not. */
export function selectorProblems(object: KubeObject, matches: boolean): FieldProblem[] {
  if (matches) return []
  const labels = JSON.stringify(objectAt(object, 'spec', 'template', 'metadata', 'labels'))
  const message = `Invalid value: ${labels}: \`selector\` does not match template \`labels\``
  return [{ field: 'spec.template.metadata.labels', reason: 'FieldValueInvalid', message }]
}
