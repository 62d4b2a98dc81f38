import { describe, expect, test } from 'vitest'
import { configMap, configMaps, deployment, deployments } from './sample-objects.ts'
import { startCluster } from './sim-cluster.ts'

const map = `${configMaps}/a`

describe('server-side apply', () => {
  test('creates, then changes nothing when it is repeated', async () => {
    const { apply } = await startCluster()
    const first = await apply(`${deployments}/web`, 'us', deployment())
    expect(first.status).toBe(201)
    const second = await apply(`${deployments}/web`, 'us', deployment())
    expect(second.status).toBe(200)
    expect(second.json).toEqual(
      expect.objectContaining({ spec: Object(first.json).spec, metadata: expect.anything() }),
    )
    const version = (answer: object) => Object(answer).metadata.resourceVersion
    const third = await apply(`${deployments}/web`, 'us', deployment())
    expect(version(third.json)).toBe(version(second.json))
  })

  test('writes down who owns which fields, and nothing for an object without any', async () => {
    const { apply } = await startCluster()
    const { json } = await apply(map, 'us', {
      ...configMap('a', { x: '1' }),
      metadata: { name: 'a', labels: { app: 'web' } },
    })
    expect(json).toMatchObject({
      metadata: {
        managedFields: [
          {
            manager: 'us',
            operation: 'Apply',
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:x': {} }, 'f:metadata': { 'f:labels': { 'f:app': {} } } },
          },
        ],
      },
    })
    const bare = await apply('/api/v1/namespaces/default/serviceaccounts/bare', 'us', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'bare' },
    })
    expect(Object(bare.json).metadata).not.toHaveProperty('managedFields')
  })

  test('names manager and field of each conflict, and takes fields by force', async () => {
    const { apply } = await startCluster()
    await apply(`${deployments}/web`, 'them', deployment({ image: 'nginx:1' }))
    const refused = await apply(`${deployments}/web`, 'us', deployment({ image: 'nginx:2' }))
    expect(refused.json).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Apply failed with 1 conflict: conflict with "them": .spec.template.spec.containers[name="web"].image',
      details: {
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "them"',
            field: '.spec.template.spec.containers[name="web"].image',
          },
        ],
      },
    })
    const forced = await apply(
      `${deployments}/web`,
      'us',
      deployment({ image: 'nginx:2' }),
      '&force=true',
    )
    expect(forced.status).toBe(200)
    const again = await apply(`${deployments}/web`, 'them', deployment({ image: 'nginx:1' }))
    expect(again.json).toMatchObject({ code: 409, message: expect.stringContaining('"us"') })
  })

  test('shares a field on whose value two managers agree', async () => {
    const { apply } = await startCluster()
    await apply(map, 'them', configMap('a', { x: '1' }))
    expect((await apply(map, 'us', configMap('a', { x: '1' }))).status).toBe(200)
    await apply(map, 'them', configMap('a', {}))
    expect((await apply(map, 'us', configMap('a', { x: '2' }))).json).toMatchObject({
      data: { x: '2' },
    })
  })

  test('conflicts with what somebody changed by hand, named by the way of it', async () => {
    const { apply, call } = await startCluster()
    await apply(map, 'us', configMap('a', { x: '1' }))
    await call('PATCH', `${map}?fieldManager=kubectl-edit`, {
      body: { data: { x: '2' } },
      contentType: 'application/merge-patch+json',
    })
    const { json } = await apply(map, 'us', configMap('a', { x: '1' }))
    expect(json).toMatchObject({
      code: 409,
      message: 'Apply failed with 1 conflict: conflict with "kubectl-edit" using v1: .data.x',
    })
  })

  test('takes away what it does not ask for any more, with what stood below it', async () => {
    const { apply } = await startCluster()
    const probe = { livenessProbe: { httpGet: { path: '/', port: 80 } } }
    const containers = [
      { name: 'web', image: 'nginx:1', ...probe },
      { name: 'side', image: 'side:1' },
    ]
    await apply(`${deployments}/web`, 'us', deployment({ spec: { containers } }))
    const { json } = await apply(
      `${deployments}/web`,
      'us',
      deployment({ spec: { containers: [{ name: 'web', image: 'nginx:1' }] } }),
    )
    const left = Object(json).spec.template.spec.containers
    expect(left).toHaveLength(1)
    expect(left[0]).not.toHaveProperty('livenessProbe')
  })

  test('leaves alone what others own and what nobody asked for', async () => {
    const { apply } = await startCluster()
    await apply(map, 'them', configMap('a', { theirs: '1' }))
    await apply(map, 'us', configMap('a', { ours: '1' }))
    const { json } = await apply(map, 'us', configMap('a', { other: '1' }))
    expect(json).toMatchObject({ data: { theirs: '1', other: '1' } })
    expect(Object(json).data).not.toHaveProperty('ours')
  })

  test('changes nothing in a dry run, and shows what it would', async () => {
    const { apply, get } = await startCluster()
    await apply(map, 'us', configMap('a', { x: '1' }))
    const dry = await apply(map, 'us', configMap('a', { x: '2' }), '&dryRun=All')
    expect(dry.json).toMatchObject({ data: { x: '2' } })
    expect(get('configmaps', 'default/a')).toMatchObject({ data: { x: '1' } })
  })

  test('refuses a field that the type does not have', async () => {
    const { apply } = await startCluster()
    const { json } = await apply(map, 'us', { ...configMap('a'), foo: 1 })
    expect(json).toMatchObject({
      code: 500,
      message:
        'failed to create typed patch object (/a; v1, Kind=ConfigMap): .foo: field not declared in schema',
    })
  })

  test('wants to know who asks', async () => {
    const { call } = await startCluster()
    const body = configMap('a')
    const contentType = 'application/apply-patch+yaml'
    expect((await call('PATCH', map, { body, contentType })).status).toBe(400)
  })

  test('adopts what was made without it, as before its first apply', async () => {
    const { apply } = await startCluster()
    const coredns = '/apis/apps/v1/namespaces/kube-system/deployments/coredns'
    const replicas = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'coredns', namespace: 'kube-system' },
      spec: { replicas: 3 },
    }
    expect((await apply(coredns, 'us', replicas)).json).toMatchObject({ code: 409 })
    expect((await apply(coredns, 'us', replicas, '&force=true')).json).toMatchObject({
      spec: { replicas: 3, template: { spec: { containers: [{ name: 'coredns' }] } } },
    })
  })
})
