import { withMeta, withSpec, withStatus } from '../model/kube-object.ts'
import { objectAt, textAt, textMapAt } from '../model/read-json.ts'
import { type ResourceType, resourceId } from '../model/resource-type.ts'
import { crdRules } from './crd-rules.ts'
import type { KindRules } from './kind-rules.ts'
import { podRules } from './pod-rules.ts'
import { serviceRules } from './service-rules.ts'
import {
  cronJobRules,
  daemonSetRules,
  deploymentRules,
  frozenProblems,
  jobRules,
  replicaSetRules,
  statefulSetRules,
} from './workload-rules.ts'

const namespaceRules: KindRules = {
  defaults: (namespace) =>
    withMeta(namespace, {
      labels: {
        ...namespace.metadata.labels,
        'kubernetes.io/metadata.name': namespace.metadata.name,
      },
    }),
  onCreate: (_, namespace) =>
    withStatus(withSpec(namespace, { finalizers: ['kubernetes'] }), { phase: 'Active' }),
}

const secretRules: KindRules = {
  defaults: (secret) => {
    const { stringData, ...rest } = secret
    const encoded = Object.entries(textMapAt(secret, 'stringData')).map(([key, value]) => [
      key,
      Buffer.from(value).toString('base64'),
    ])
    const data = { ...objectAt(secret, 'data'), ...Object.fromEntries(encoded) }
    return {
      ...rest,
      apiVersion: secret.apiVersion,
      kind: secret.kind,
      metadata: secret.metadata,
      type: textAt(secret, 'type') || 'Opaque',
      ...(Object.keys(data).length === 0 ? {} : { data }),
    }
  },
}

const claimRules: KindRules = {
  defaults: (claim) => withSpec(claim, { volumeMode: 'Filesystem', ...objectAt(claim, 'spec') }),
  onCreate: (context, claim) => {
    const spec = objectAt(claim, 'spec')
    const standard = context.store
      .list('storageclasses.storage.k8s.io')
      .find(
        ({ metadata }) =>
          metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true',
      )
    const className = spec['storageClassName'] ?? standard?.metadata.name
    const classed = className === undefined ? spec : { ...spec, storageClassName: className }
    const protectedClaim = withMeta(claim, { finalizers: ['kubernetes.io/pvc-protection'] })
    return withStatus(withSpec(protectedClaim, classed), { phase: 'Pending' })
  },
}

const volumeRules: KindRules = {
  defaults: (volume) =>
    withSpec(volume, {
      volumeMode: 'Filesystem',
      persistentVolumeReclaimPolicy: 'Retain',
      ...objectAt(volume, 'spec'),
    }),
  onCreate: (_, volume) =>
    withStatus(withMeta(volume, { finalizers: ['kubernetes.io/pv-protection'] }), {
      phase: 'Available',
    }),
}

const storageClassRules: KindRules = {
  defaults: (storageClass) => ({
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
    ...storageClass,
  }),
  validate: (after, before) =>
    before
      ? frozenProblems(
          { ...before, spec: frozenParts(before) },
          { ...after, spec: frozenParts(after) },
          ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'],
        ).map((problem) => ({ ...problem, field: problem.field.replace('spec.', '') }))
      : [],
}

function frozenParts(storageClass: object) {
  const { parameters, provisioner, reclaimPolicy, volumeBindingMode } = {
    parameters: {},
    provisioner: '',
    reclaimPolicy: '',
    volumeBindingMode: '',
    ...storageClass,
  }
  return { parameters, provisioner, reclaimPolicy, volumeBindingMode }
}

const table: Readonly<Record<string, KindRules>> = {
  pods: podRules,
  services: serviceRules,
  namespaces: namespaceRules,
  secrets: secretRules,
  persistentvolumeclaims: claimRules,
  persistentvolumes: volumeRules,
  'storageclasses.storage.k8s.io': storageClassRules,
  'deployments.apps': deploymentRules,
  'replicasets.apps': replicaSetRules,
  'daemonsets.apps': daemonSetRules,
  'statefulsets.apps': statefulSetRules,
  'jobs.batch': jobRules,
  'cronjobs.batch': cronJobRules,
  'poddisruptionbudgets.policy': { generations: true },
  'networkpolicies.networking.k8s.io': { generations: true },
  'ingresses.networking.k8s.io': { generations: true },
  'ingressclasses.networking.k8s.io': { generations: true },
  'customresourcedefinitions.apiextensions.k8s.io': crdRules,
}

const plain: KindRules = {}
const custom: KindRules = { generations: true }

/** The rules of a kind; custom resources count generations and nothing else. */
export function kindRules(type: ResourceType): KindRules {
  return table[resourceId(type)] ?? (type.columns === undefined ? plain : custom)
}
