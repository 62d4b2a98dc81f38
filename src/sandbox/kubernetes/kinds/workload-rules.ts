import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../../lib/json.ts'
import type { FieldProblem } from '../model/api-error.ts'
import { type KubeObject, withMeta, withSpec, withStatus } from '../model/kube-object.ts'
import { objectAt, textAt, textMapAt, valueAt } from '../model/read-json.ts'
import { matchesSelector } from '../model/selectors.ts'
import type { KindRules } from './kind-rules.ts'
import { podSpecDefaults } from './pod-defaults.ts'
import { required, selectorProblems } from './pod-rules.ts'

/** The rules of a workload whose spec is filled up by `fill`, and whose `frozen` fields never change. */
function workload(
  fill: (spec: JsonObject) => JsonObject,
  frozen: readonly string[],
  extra: Partial<KindRules> = {},
): KindRules {
  return {
    generations: true,
    defaults: (object) => {
      const spec = fill(objectAt(object, 'spec'))
      return withSpec(object, { ...spec, ...templateOf(spec) })
    },
    onCreate: (_, object) => withStatus(object, {}),
    validate: (object, before) => [
      ...problemsOfSelector(object),
      ...(before ? frozenProblems(before, object, frozen) : []),
    ],
    ...extra,
  }
}

function templateOf(spec: JsonObject): JsonObject {
  const template = objectAt(spec, 'template')
  return {
    template: { metadata: {}, ...template, spec: podSpecDefaults(objectAt(template, 'spec')) },
  }
}

function problemsOfSelector(object: KubeObject): FieldProblem[] {
  const selector = valueAt(object, 'spec', 'selector')
  if (selector === undefined) return [required('spec.selector', '')]
  const labels = textMapAt(object, 'spec', 'template', 'metadata', 'labels')
  return selectorProblems(object, matchesSelector(selector, labels))
}

/** The problem that Kubernetes names when a field that never changes is to change. */
export function frozenProblems(
  before: KubeObject,
  after: KubeObject,
  names: readonly string[],
): FieldProblem[] {
  return names.flatMap((name) => {
    const value = valueAt(after, 'spec', name)
    if (isDeepStrictEqual(valueAt(before, 'spec', name), value)) return []
    const message = `Invalid value: ${JSON.stringify(value ?? null)}: field is immutable`
    return [{ field: `spec.${name}`, reason: 'FieldValueInvalid', message } as const]
  })
}

const rollingQuarter = { maxUnavailable: '25%', maxSurge: '25%' }

function strategy(given: JsonObject, fallback: JsonObject): JsonObject {
  const type = textAt(given, 'type') || 'RollingUpdate'
  return type === 'RollingUpdate'
    ? { type, rollingUpdate: { ...fallback, ...objectAt(given, 'rollingUpdate') } }
    : { ...given, type }
}

export const deploymentRules = workload(
  (spec) => ({
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    ...spec,
    strategy: strategy(objectAt(spec, 'strategy'), rollingQuarter),
  }),
  ['selector'],
)

export const replicaSetRules = workload((spec) => ({ replicas: 1, ...spec }), ['selector'])

const daemonSet = workload(
  (spec) => ({
    revisionHistoryLimit: 10,
    ...spec,
    updateStrategy: strategy(objectAt(spec, 'updateStrategy'), { maxUnavailable: 1, maxSurge: 0 }),
  }),
  ['selector'],
)

/** DaemonSets carry an annotation from before apps/v1 that counts their templates. */
export const daemonSetRules: KindRules = {
  ...daemonSet,
  defaults: (object) => {
    const filled = daemonSet.defaults?.(object) ?? object
    const name = 'deprecated.daemonset.template.generation'
    const { generation = 1, annotations = {} } = filled.metadata
    return withMeta(filled, {
      annotations: { ...annotations, [name]: annotations[name] ?? String(generation) },
    })
  },
}

export const statefulSetRules = workload(
  (spec) => ({
    replicas: 1,
    revisionHistoryLimit: 10,
    podManagementPolicy: 'OrderedReady',
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    serviceName: '',
    ...spec,
    updateStrategy: strategy(objectAt(spec, 'updateStrategy'), { partition: 0 }),
  }),
  ['selector', 'serviceName', 'volumeClaimTemplates', 'podManagementPolicy'],
)

const jobSpec = (spec: JsonObject) => ({
  completions: 1,
  parallelism: 1,
  backoffLimit: 6,
  completionMode: 'NonIndexed',
  suspend: false,
  podReplacementPolicy: 'TerminatingOrFailed',
  ...spec,
})

export const jobRules = workload(jobSpec, ['selector', 'template', 'completionMode'], {
  onCreate: (_, job) => withStatus(withJobLabels(job), {}),
  validate: (job, before) =>
    before ? frozenProblems(before, job, ['selector', 'template', 'completionMode']) : [],
})

/** A job finds its pods by labels of its own uid. */
function withJobLabels(job: KubeObject): KubeObject {
  const spec = objectAt(job, 'spec')
  const template = objectAt(spec, 'template')
  const uid = job.metadata.uid ?? ''
  const own = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': job.metadata.name,
    'controller-uid': uid,
    'job-name': job.metadata.name,
  }
  const labels = { ...textMapAt(template, 'metadata', 'labels'), ...own }
  return withSpec(job, {
    ...spec,
    selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } },
    template: { ...template, metadata: { ...objectAt(template, 'metadata'), labels } },
  })
}

export const cronJobRules: KindRules = {
  generations: true,
  defaults: (object) =>
    withSpec(object, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      ...objectAt(object, 'spec'),
    }),
  onCreate: (_, object) => withStatus(object, {}),
}
