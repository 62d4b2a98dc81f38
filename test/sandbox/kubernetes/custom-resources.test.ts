import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import { objectsAt, textAt } from '../../../src/sandbox/kubernetes/model/read-json.ts'
import { type SimCluster, startCluster } from './sim-cluster.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const widgets = '/apis/example.org/v1/namespaces/default/widgets'

const definition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.org' },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wg'] },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: false,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer' },
                  parts: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      properties: { name: { type: 'string' }, count: { type: 'integer' } },
                    },
                  },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
}

const widget = (spec: JsonObject): JsonObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Widget',
  metadata: { name: 'a' },
  spec,
})

async function define(): Promise<SimCluster> {
  const cluster = await startCluster()
  await cluster.apply(`${definitions}/widgets.example.org`, 'us', definition)
  await cluster.until((get) =>
    objectsAt(
      get('customresourcedefinitions.apiextensions.k8s.io', 'widgets.example.org'),
      'status',
      'conditions',
    ).some((condition) => textAt(condition, 'type') === 'Established'),
  )
  return cluster
}

describe('a defined resource', () => {
  test('is served, discovered, and gone with its definition', async () => {
    const { call, until, sim } = await define()
    expect((await call('POST', widgets, { body: widget({ size: 1 }) })).status).toBe(201)
    const { json } = await call('GET', '/apis/example.org/v1')
    expect(objectsAt(json, 'resources')[0]).toMatchObject({ name: 'widgets', shortNames: ['wg'] })
    await call('DELETE', `${definitions}/widgets.example.org`)
    await until(() => sim.context.store.count('widgets.example.org') === 0)
    expect((await call('GET', widgets)).status).toBe(404)
  })

  test('is merged by the keys of its schema', async () => {
    const { apply } = await define()
    await apply(`${widgets}/a`, 'us', widget({ parts: [{ name: 'x', count: 1 }] }))
    await apply(`${widgets}/a`, 'them', widget({ parts: [{ name: 'y', count: 2 }] }))
    const { json } = await apply(`${widgets}/a`, 'us', widget({ parts: [{ name: 'x', count: 3 }] }))
    expect(Object(json).spec.parts).toEqual(
      expect.arrayContaining([
        { name: 'x', count: 3 },
        { name: 'y', count: 2 },
      ]),
    )
  })

  test('keeps its status apart and drops what its schema does not have', async () => {
    const { call } = await define()
    const body = { ...widget({ size: 1, colour: 'red' }), status: { phase: 'odd' } }
    const made = await call('POST', widgets, { body })
    expect(made.json).not.toHaveProperty('status')
    expect(Object(made.json).spec).toEqual({ size: 1 })
    const status = await call('PATCH', `${widgets}/a/status`, {
      body: { status: { phase: 'fine' } },
      contentType: 'application/merge-patch+json',
    })
    expect(status.json).toMatchObject({ status: { phase: 'fine' } })
  })

  test('is shown under every served version and with its own columns', async () => {
    const { call } = await define()
    await call('POST', widgets, { body: widget({ size: 4 }) })
    const old = await call('GET', `${widgets.replace('/v1/', '/v1alpha1/')}/a`)
    expect(old.json).toMatchObject({ apiVersion: 'example.org/v1alpha1', kind: 'Widget' })
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    expect((await call('GET', widgets, { accept })).json).toMatchObject({
      columnDefinitions: [{ name: 'Name' }, { name: 'Size' }],
      rows: [{ cells: ['a', 4] }],
    })
  })
})
