import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultDrainPolicy } from '../../src/kubernetes/drain.ts'
import { judgePods } from '../../src/kubernetes/drain-filter.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { KubernetesObject } from '../../src/lib/kubernetes-object.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const world = { now, daemonSetExists: (_namespace: string, name: string) => name === 'agent' }

function pod(name: string, meta: JsonObject = {}, rest: JsonObject = {}): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'demo', ...meta }, ...rest }
}

const owned = (kind: string, name: string) => ({
  ownerReferences: [{ kind, name, controller: true }],
})
const replica = owned('ReplicaSet', 'web')
const scratch = { spec: { volumes: [{ name: 'tmp', emptyDir: {} }] } }
const finished = { status: { phase: 'Succeeded' } }

const strict = { ...defaultDrainPolicy, deleteEmptyDirData: false }

test.each<[string, KubernetesObject, string]>([
  ['a pod of a ReplicaSet', pod('web', replica), 'evict'],
  ['a pod of a DaemonSet', pod('agent', owned('DaemonSet', 'agent')), 'stay'],
  ['a pod of a DaemonSet that is gone', pod('old', owned('DaemonSet', 'old')), 'obstacle'],
  ['a finished pod of a DaemonSet', pod('old', owned('DaemonSet', 'old'), finished), 'evict'],
  ['a static pod', pod('etcd', { annotations: { 'kubernetes.io/config.mirror': 'x' } }), 'stay'],
  ['a pod with an emptyDir', pod('web', replica, scratch), 'obstacle'],
  ['a finished pod with an emptyDir', pod('web', replica, { ...scratch, ...finished }), 'evict'],
  ['a pod that nothing recreates', pod('lonely'), 'obstacle'],
  ['a finished pod that nothing recreates', pod('lonely', {}, finished), 'evict'],
  [
    'a pod that has been ending for an hour',
    pod('stuck', { ...replica, deletionTimestamp: '2025-12-31T23:00:00Z' }),
    'stay',
  ],
  [
    'a pod that has just begun to end',
    pod('web', { ...replica, deletionTimestamp: '2025-12-31T23:59:50Z' }),
    'evict',
  ],
])('%s', (_name, it, expected) => {
  const { evict, stay, obstacles } = judgePods([it], strict, world)
  expect({ evict: evict.length, stay: stay.length, obstacle: obstacles.length }).toEqual({
    evict: 0,
    stay: 0,
    obstacle: 0,
    [expected]: 1,
  })
})

test('force evicts what nothing recreates, with a warning', () => {
  const policy = { ...defaultDrainPolicy, force: true }
  const { evict, warnings } = judgePods([pod('lonely')], policy, world)
  expect(evict).toHaveLength(1)
  expect(warnings).toEqual(['Pod demo/lonely has no controller and will not come back'])
})

test('every pod gets exactly one verdict, whatever the policy', () => {
  const pods = fc.constantFrom(
    pod('a', replica),
    pod('b', owned('DaemonSet', 'agent')),
    pod('c', owned('DaemonSet', 'old')),
    pod('d', replica, scratch),
    pod('e'),
    pod('f', {}, finished),
  )
  const policies = fc.record({
    ignoreDaemonSets: fc.boolean(),
    deleteEmptyDirData: fc.boolean(),
    force: fc.boolean(),
    skipTerminatingAfterMs: fc.constant(1000),
  })
  fc.assert(
    fc.property(fc.array(pods), policies, (all, policy) => {
      const { evict, stay, obstacles } = judgePods(all, policy, world)
      return evict.length + stay.length + obstacles.length === all.length
    }),
  )
})
