import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inApplyOrder } from '../../src/kubernetes/kind-order.ts'
import { objectDrift } from '../../src/kubernetes/object-drift.ts'
import { prepareObject } from '../../src/kubernetes/prepare-object.ts'
import { inventoryObject, readInventory, setId } from '../../src/kubernetes/set-inventory.ts'

const set = { name: 'cilium', namespace: 'kube-system' }

test('namespaces and kinds come first, webhooks last, workloads after what they need', () => {
  const kinds = ['ValidatingWebhookConfiguration', 'DaemonSet', 'Gateway', 'Secret', 'Namespace']
  expect(inApplyOrder(kinds.map((kind) => ({ kind }))).flat()).toEqual(
    ['Namespace', 'Secret', 'DaemonSet', 'Gateway', 'ValidatingWebhookConfiguration'].map(
      (kind) => ({
        kind,
      }),
    ),
  )
})

test('no object is lost or doubled by ordering', () => {
  const kinds = fc.constantFrom('Namespace', 'Pod', 'Gateway', 'Service', 'APIService', 'X')
  fc.assert(
    fc.property(fc.array(kinds), (all) => {
      const ordered = inApplyOrder(all.map((kind) => ({ kind }))).flat()
      expect(ordered.map(({ kind }) => kind).sort()).toEqual([...all].sort())
    }),
  )
})

test('an inventory reads back what was written', () => {
  const refs = fc.record({
    apiVersion: fc.constantFrom('v1', 'apps/v1'),
    kind: fc.constantFrom('Secret', 'DaemonSet'),
    name: fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/),
    namespace: fc.constantFrom('kube-system', 'demo'),
  })
  fc.assert(
    fc.property(fc.uniqueArray(refs, { selector: (ref) => JSON.stringify(ref) }), (members) => {
      const inventory = { members, hooks: 'digest', ran: ['batch/Job/a/b'] }
      const { members: read, ...rest } = readInventory(inventoryObject('cilium', inventory))
      expect(new Set(read.map((ref) => JSON.stringify({ ...ref })))).toHaveLength(members.length)
      expect(rest).toEqual({ hooks: 'digest', ran: ['batch/Job/a/b'] })
      expect(read).toEqual(expect.arrayContaining(members))
    }),
  )
})

test('an inventory is the same whatever the order of its members', () => {
  const a = { apiVersion: 'v1', kind: 'Secret', namespace: 'x', name: 'a' }
  const b = { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace: 'x', name: 'b' }
  const of = (members: (typeof a)[]) => inventoryObject('s', { members, hooks: '', ran: [] })
  expect(of([a, b])).toEqual(of([b, a]))
})

test('what is no inventory is an empty one', () => {
  expect(readInventory(undefined)).toEqual({ members: [], hooks: '', ran: [] })
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x' },
    data: { members: '{' },
  }
  expect(readInventory(object).members).toEqual([])
})

test('an id fits a label', () => {
  expect(setId('cilium')).toMatch(/^applyset-[A-Za-z0-9_-]{43}-v1$/)
  expect(setId('cilium')).not.toBe(setId('hcloud-csi'))
})

test('a prepared object carries its label, and a namespace only where its kind has one', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'a', labels: { x: 'y' } },
    status: {},
  }
  expect(prepareObject(object, set, true)).toEqual({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      name: 'a',
      namespace: 'kube-system',
      labels: { x: 'y', 'applyset.kubernetes.io/part-of': setId('cilium') },
    },
  })
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'a', namespace: 'demo' },
  }
  expect(prepareObject(role, set, false).metadata).not.toHaveProperty('namespace')
})

test('drift is told by its paths, without what a server keeps for itself', () => {
  const live = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {
      name: 'a',
      resourceVersion: '7',
      generation: 3,
      annotations: { 'deprecated.daemonset.template.generation': '3' },
    },
    spec: { containers: [{ image: 'evil', args: ['x'] }] },
    status: { numberReady: 1 },
  }
  const applied = {
    ...live,
    metadata: { name: 'a', resourceVersion: '8', generation: 4, managedFields: [] },
    spec: { containers: [{ image: 'good', args: ['x'] }], paused: true },
    status: {},
  }
  expect(objectDrift(live, applied)).toEqual(['spec.containers[0].image', 'spec.paused'])
  expect(objectDrift(live, live)).toEqual([])
})
