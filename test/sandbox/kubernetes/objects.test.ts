import { describe, expect, test } from 'vitest'
import { configMap, configMaps, deployment, deployments } from './sample-objects.ts'
import { startCluster } from './sim-cluster.ts'

describe('creating', () => {
  test('gives an object its identity and fills in what was left out', async () => {
    const { call } = await startCluster()
    const { status, json } = await call('POST', deployments, { body: deployment() })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'web',
        namespace: 'default',
        generation: 1,
        uid: expect.stringMatching(/^.{36}$/),
      },
      spec: {
        replicas: 2,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } },
        template: {
          spec: { restartPolicy: 'Always', containers: [{ imagePullPolicy: 'IfNotPresent' }] },
        },
      },
    })
  })

  test('refuses a second object of the same name, and one in a namespace that is not there', async () => {
    const { call } = await startCluster()
    await call('POST', configMaps, { body: configMap('a') })
    const again = await call('POST', configMaps, { body: configMap('a') })
    expect(again.json).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
      details: { name: 'a', kind: 'configmaps' },
    })
    const nowhere = await call('POST', '/api/v1/namespaces/none/configmaps', {
      body: configMap('a'),
    })
    expect(nowhere.json).toMatchObject({ code: 404, message: 'namespaces "none" not found' })
  })

  test('makes up a name where only its beginning is given', async () => {
    const { call } = await startCluster()
    const body = { ...configMap(''), metadata: { generateName: 'note-' } }
    const { json } = await call('POST', configMaps, { body })
    expect(json).toMatchObject({ metadata: { name: expect.stringMatching(/^note-[a-z0-9]{5}$/) } })
  })

  test('does everything but the writing in a dry run', async () => {
    const { call } = await startCluster()
    const dry = await call('POST', `${configMaps}?dryRun=All`, { body: configMap('a') })
    expect(dry.status).toBe(201)
    expect((await call('GET', `${configMaps}/a`)).status).toBe(404)
  })

  test('names every field that it does not know, or drops it with a warning', async () => {
    const { call } = await startCluster()
    const body = {
      ...deployment(),
      spec: { ...Object(deployment()['spec']), replica: 3 },
      extra: 1,
    }
    const strict = await call('POST', `${deployments}?fieldValidation=Strict`, { body })
    expect(strict.json).toMatchObject({
      code: 400,
      message: expect.stringContaining('unknown field "spec.replica", unknown field "extra"'),
    })
    const lenient = await call('POST', deployments, { body })
    expect(lenient.status).toBe(201)
    expect(lenient.headers['warning']).toContain('unknown field')
    expect(lenient.json).not.toHaveProperty('extra')
  })

  test('refuses a field of the wrong type', async () => {
    const { call } = await startCluster()
    const body = { ...configMap('a'), data: { a: 1 } }
    const { json } = await call('POST', configMaps, { body })
    expect(json).toMatchObject({ code: 400, message: expect.stringContaining('data.a') })
  })

  test('says of each invalid field what is wrong', async () => {
    const { call } = await startCluster()
    const body = {
      ...deployment(),
      metadata: { name: 'Web' },
      spec: { ...Object(deployment()['spec']), selector: { matchLabels: { app: 'other' } } },
    }
    const { json } = await call('POST', deployments, { body })
    expect(json).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: {
        causes: [
          { field: 'metadata.name', reason: 'FieldValueInvalid' },
          { field: 'spec.template.metadata.labels' },
        ],
      },
    })
  })
})

describe('updating', () => {
  test('refuses what speaks of an older version', async () => {
    const { call } = await startCluster()
    const made = await call('POST', configMaps, { body: configMap('a', { x: '1' }) })
    await call('PUT', `${configMaps}/a`, { body: { ...made.json, data: { x: '2' } } })
    const late = await call('PUT', `${configMaps}/a`, { body: { ...made.json, data: { x: '3' } } })
    expect(late.json).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    })
  })

  test('counts a generation for a new spec, none for a label or a status', async () => {
    const { call } = await startCluster()
    await call('POST', deployments, { body: deployment() })
    const patch = (path: string, body: object) =>
      call('PATCH', `${deployments}/web${path}`, {
        body,
        contentType: 'application/merge-patch+json',
      })
    const generation = (json: object) => Object(json).metadata.generation
    expect(generation((await patch('', { metadata: { labels: { a: 'b' } } })).json)).toBe(1)
    expect(generation((await patch('/status', { status: { replicas: 9 } })).json)).toBe(1)
    expect(generation((await patch('', { spec: { replicas: 3 } })).json)).toBe(2)
  })

  test('keeps the status out of the object and the spec out of the status', async () => {
    const { call } = await startCluster()
    await call('POST', deployments, { body: deployment() })
    const merge = { contentType: 'application/merge-patch+json' }
    const main = await call('PATCH', `${deployments}/web`, {
      body: { status: { replicas: 77 } },
      ...merge,
    })
    expect(main.json).not.toMatchObject({ status: { replicas: 77 } })
    const status = await call('PATCH', `${deployments}/web/status`, {
      body: { spec: { replicas: 77 } },
      ...merge,
    })
    expect(status.json).toMatchObject({ spec: { replicas: 2 } })
  })

  test('refuses to change what never changes', async () => {
    const { call } = await startCluster()
    await call('POST', deployments, { body: deployment() })
    const body = {
      spec: {
        selector: { matchLabels: { app: 'other' } },
        template: { metadata: { labels: { app: 'other' } } },
      },
    }
    const contentType = 'application/merge-patch+json'
    const { json } = await call('PATCH', `${deployments}/web`, { body, contentType })
    expect(json).toMatchObject({
      code: 422,
      message: expect.stringContaining('field is immutable'),
    })
  })

  test('scales through the scale subresource', async () => {
    const { call } = await startCluster()
    await call('POST', deployments, { body: deployment() })
    const scale = await call('GET', `${deployments}/web/scale`)
    expect(scale.json).toMatchObject({ kind: 'Scale', spec: { replicas: 2 } })
    await call('PUT', `${deployments}/web/scale`, {
      body: { ...scale.json, spec: { replicas: 5 } },
    })
    expect((await call('GET', `${deployments}/web`)).json).toMatchObject({ spec: { replicas: 5 } })
  })
})

describe('deleting', () => {
  test('removes an object and says which', async () => {
    const { call } = await startCluster()
    await call('POST', configMaps, { body: configMap('a') })
    const { json } = await call('DELETE', `${configMaps}/a`)
    expect(json).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'a' } })
    expect((await call('DELETE', `${configMaps}/a`)).status).toBe(404)
  })

  test('holds to its preconditions', async () => {
    const { call } = await startCluster()
    await call('POST', configMaps, { body: configMap('a') })
    const { json } = await call('DELETE', `${configMaps}/a`, {
      body: { preconditions: { uid: 'another' } },
    })
    expect(json).toMatchObject({
      code: 409,
      message: expect.stringContaining('Precondition failed: UID in precondition: another'),
    })
    expect((await call('GET', `${configMaps}/a`)).status).toBe(200)
  })

  test('waits for finalizers', async () => {
    const { call } = await startCluster()
    const body = { ...configMap('a'), metadata: { name: 'a', finalizers: ['example.org/wait'] } }
    await call('POST', configMaps, { body })
    const marked = await call('DELETE', `${configMaps}/a`)
    expect(marked.json).toMatchObject({ metadata: { deletionTimestamp: expect.any(String) } })
    await call('PATCH', `${configMaps}/a`, {
      body: { metadata: { finalizers: null } },
      contentType: 'application/merge-patch+json',
    })
    expect((await call('GET', `${configMaps}/a`)).status).toBe(404)
  })

  test('takes a whole selection at once', async () => {
    const { call } = await startCluster()
    for (const name of ['a', 'b', 'c']) {
      const labels = { keep: String(name === 'c') }
      await call('POST', configMaps, { body: { ...configMap(name), metadata: { name, labels } } })
    }
    await call('DELETE', `${configMaps}?labelSelector=keep%3Dfalse`)
    const { json } = await call('GET', `${configMaps}?labelSelector=keep`)
    expect(json).toMatchObject({ items: [{ metadata: { name: 'c' } }] })
  })
})
