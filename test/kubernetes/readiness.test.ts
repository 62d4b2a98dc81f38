import { expect, test } from 'vitest'
import { notReadyBecause } from '../../src/kubernetes/readiness.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { KubernetesObject } from '../../src/lib/kubernetes-object.ts'

function object(kind: string, status: JsonObject, spec: JsonObject = {}): KubernetesObject {
  return { apiVersion: 'v1', kind, metadata: { name: 'it', generation: 2 }, spec, status }
}

const seen = { observedGeneration: 2 }
const three = { desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 }

test.each<[string, KubernetesObject, string | undefined]>([
  ['a DaemonSet on all nodes', object('DaemonSet', { ...seen, ...three }), undefined],
  [
    'a DaemonSet on two of three',
    object('DaemonSet', { ...seen, ...three, numberAvailable: 2 }),
    '2 of 3 pods are available',
  ],
  [
    'a DaemonSet in the middle of an update',
    object('DaemonSet', { ...seen, ...three, updatedNumberScheduled: 1 }),
    '1 of 3 pods are of the newest version',
  ],
  [
    'a DaemonSet that wants no pods',
    object('DaemonSet', { ...seen, desiredNumberScheduled: 0 }),
    'it has no node to run on yet',
  ],
  [
    'a status of before the change',
    object('DaemonSet', { observedGeneration: 1, ...three }),
    'its controller has not seen the newest change yet',
  ],
  [
    'a complete Deployment',
    object(
      'Deployment',
      { ...seen, replicas: 2, updatedReplicas: 2, availableReplicas: 2 },
      { replicas: 2 },
    ),
    undefined,
  ],
  [
    'a Deployment with an old pod left',
    object(
      'Deployment',
      { ...seen, replicas: 3, updatedReplicas: 2, availableReplicas: 3 },
      { replicas: 2 },
    ),
    'old pods are still being removed',
  ],
  [
    'a Deployment without a status',
    object('Deployment', {}),
    '0 of 1 pods are of the newest version',
  ],
  [
    'a Deployment that is stuck',
    object('Deployment', {
      ...seen,
      conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }],
    }),
    'it has made no progress within its deadline',
  ],
  [
    'a StatefulSet whose pods are being replaced',
    object('StatefulSet', { ...seen, readyReplicas: 1, currentRevision: 'a', updateRevision: 'b' }),
    'its pods are still being replaced',
  ],
  [
    'a Job that is done',
    object('Job', { conditions: [{ type: 'Complete', status: 'True' }] }),
    undefined,
  ],
  ['a Job that runs', object('Job', { active: 1 }), 'it still runs'],
  [
    'a Job that failed',
    object('Job', {
      conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }],
    }),
    'it failed: BackoffLimitExceeded',
  ],
  [
    'a new kind',
    object('CustomResourceDefinition', { conditions: [] }),
    'it is not Established yet',
  ],
  [
    'a load balancer without an address',
    object('Service', {}, { type: 'LoadBalancer' }),
    'its load balancer has no address yet',
  ],
  ['a Service of the cluster', object('Service', {}, { type: 'ClusterIP' }), undefined],
  ['a ConfigMap', object('ConfigMap', {}), undefined],
])('%s', (_name, it, reason) => {
  expect(notReadyBecause(it)).toBe(reason)
})

test('pods that are missing on nodes of somebody else are excused', () => {
  const daemonSet = object('DaemonSet', { ...seen, ...three, numberAvailable: 2 })
  expect(notReadyBecause(daemonSet, { excusedPods: 1 })).toBeUndefined()
})
