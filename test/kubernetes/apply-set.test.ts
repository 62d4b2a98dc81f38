import { expect, test } from 'vitest'
import { applySet } from '../../src/kubernetes/apply-set.ts'
import { removeSet } from '../../src/kubernetes/prune-set.ts'
import { setDrift } from '../../src/kubernetes/set-drift.ts'
import { inventoryRef } from '../../src/kubernetes/set-inventory.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { KubernetesObject } from '../../src/lib/kubernetes-object.ts'
import type { ObjectSet } from '../../src/lib/object-set.ts'
import { startSimCluster } from './sim-cluster.ts'

function object(kind: string, name: string, rest: JsonObject = {}): KubernetesObject {
  return { apiVersion: 'v1', kind, metadata: { name }, ...rest }
}

function setOf(objects: KubernetesObject[], hooks: KubernetesObject[] = []): ObjectSet {
  return { name: 'demo', namespace: 'kube-system', objects, hooks: { before: [], after: hooks } }
}

const settings = object('ConfigMap', 'settings', { data: { a: '1', b: '2' } })
const account = object('ServiceAccount', 'runner')
const settingsRef = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'kube-system',
  name: 'settings',
}

const jobSpec: JsonObject = {
  ttlSecondsAfterFinished: 60,
  template: {
    spec: { restartPolicy: 'OnFailure', containers: [{ name: 'certs', image: 'certs:1' }] },
  },
}
const job: KubernetesObject = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'certs' },
  spec: jobSpec,
}
const jobRef = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'kube-system', name: 'certs' }

test('applying a set twice changes nothing the second time', async () => {
  const { client, world } = await startSimCluster()
  const set = setOf([settings, account])
  const first = await applySet(client, set, world)
  expect(first.created.map(({ name }) => name).sort()).toEqual(['runner', 'settings'])
  const version = (await client.get(settingsRef))?.metadata['resourceVersion']
  const second = await applySet(client, set, world)
  expect(second).toEqual({ created: [], changed: [], removed: [], kept: [], unchanged: 2 })
  expect((await client.get(settingsRef))?.metadata['resourceVersion']).toBe(version)
  expect(world.contractErrors).toEqual([])
})

test('a field that is no longer wanted goes, one that others added stays', async () => {
  const { client, world } = await startSimCluster()
  await applySet(client, setOf([settings]), world)
  await client.patch(settingsRef, { data: { foreign: 'x' } })
  const smaller = object('ConfigMap', 'settings', { data: { a: '1' } })
  const { changed } = await applySet(client, setOf([smaller]), world)
  expect(changed).toHaveLength(1)
  expect(await client.get(settingsRef)).toMatchObject({ data: { a: '1', foreign: 'x' } })
  expect((await client.get(settingsRef))?.['data']).not.toHaveProperty('b')
})

test('a member that is no longer wanted is removed, a namespace is not', async () => {
  const { client, world } = await startSimCluster()
  await applySet(client, setOf([settings, account, object('Namespace', 'extra')]), world)
  const { removed, kept } = await applySet(client, setOf([settings]), world)
  expect(removed.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['ServiceAccount runner'])
  expect(kept.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['Namespace extra'])
  expect(await client.get({ apiVersion: 'v1', kind: 'Namespace', name: 'extra' })).toBeDefined()
})

test('what somebody else made in the place of a member is not removed', async () => {
  const { client, world } = await startSimCluster()
  await applySet(client, setOf([settings, account]), world)
  await client.delete(settingsRef)
  await client.applyServerSide(
    { ...settings, metadata: { name: 'settings', namespace: 'kube-system' } },
    { fieldManager: 'somebody' },
  )
  const { removed } = await applySet(client, setOf([account]), world)
  expect(removed).toEqual([])
  expect(await client.get(settingsRef)).toBeDefined()
})

test('what a run that was killed had started is found and removed by the next', async () => {
  const { client, world } = await startSimCluster()
  const failing = object('ConfigMap', 'Not A Name')
  await expect(applySet(client, setOf([account, settings, failing]), world)).rejects.toMatchObject({
    code: 'kubernetes-refused',
  })
  const { removed } = await applySet(client, setOf([account]), world)
  expect(removed.map(({ name }) => name)).toEqual(['settings'])
})

test('drift is found without changing anything, with its paths', async () => {
  const { client, world } = await startSimCluster()
  const set = setOf([settings, account])
  await applySet(client, set, world)
  expect(await setDrift(client, set)).toEqual([])
  await client.patch(settingsRef, { data: { a: 'tampered' } })
  await client.delete({ ...settingsRef, kind: 'ServiceAccount', name: 'runner' })
  const drift = await setDrift(client, set)
  expect(drift.map(({ ref, type, paths }) => [ref.name, type, paths])).toEqual([
    ['settings', 'changed', ['data.a']],
    ['runner', 'missing', []],
  ])
  expect(await client.get(settingsRef)).toMatchObject({ data: { a: 'tampered' } })
  await applySet(client, set, world)
  expect(await setDrift(client, set)).toEqual([])
})

test('what a set has no more is found, and what would be left of it is marked', async () => {
  const { client, world } = await startSimCluster()
  const claim = object('PersistentVolumeClaim', 'data')
  await applySet(client, setOf([settings, claim]), world)
  const drift = await setDrift(client, setOf([]))
  expect(drift.map(({ ref, type, stays }) => [ref.name, type, stays])).toEqual([
    ['settings', 'unwanted', undefined],
    ['data', 'unwanted', true],
  ])
  const { removed, kept } = await applySet(client, setOf([]), world)
  expect([removed, kept].map((refs) => refs.map(({ name }) => name))).toEqual([
    ['settings'],
    ['data'],
  ])
})

test('a Job that ended and was cleared away is not run again', async () => {
  const { client, world } = await startSimCluster()
  await applySet(client, setOf([job]), world)
  await client.delete(jobRef)
  const { created } = await applySet(client, setOf([job]), world)
  expect(created).toEqual([])
  expect(await setDrift(client, setOf([job]))).toEqual([])
  expect(await client.get(jobRef)).toBeUndefined()
})

test('a hook is run when it is new or changed, and only then', async () => {
  const { client, world } = await startSimCluster()
  const uid = async () => (await client.get(jobRef))?.metadata['uid']
  await applySet(client, setOf([settings], [job]), world)
  const first = await uid()
  await applySet(client, setOf([settings], [job]), world)
  expect(await uid()).toBe(first)
  const newer = { ...job, spec: { ...jobSpec, backoffLimit: 3 } }
  await applySet(client, setOf([settings], [newer]), world)
  expect(await uid()).not.toBe(first)
})

test('a new kind and an object of it can come in one set', async () => {
  const { client, world } = await startSimCluster()
  const definition: KubernetesObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  }
  const thing = { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 'one' } }
  const { created } = await applySet(client, setOf([thing, definition]), world)
  expect(created.map(({ kind }) => kind)).toEqual(['CustomResourceDefinition', 'Thing'])
})

test('removing a set removes its members and its inventory', async () => {
  const { client, world } = await startSimCluster()
  await applySet(client, setOf([settings, account]), world)
  const { removed } = await removeSet(client, 'demo')
  expect(removed).toHaveLength(2)
  expect(await client.get(inventoryRef('demo'))).toBeUndefined()
  expect(await removeSet(client, 'demo')).toMatchObject({ removed: [] })
})
