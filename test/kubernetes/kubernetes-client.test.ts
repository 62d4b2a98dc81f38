import { expect, test } from 'vitest'
import { clientOf, refusal } from './api-server.ts'

const configMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'demo' },
}
const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'demo', name: 'settings' }

test('discovery reads the version and every kind, also without the aggregated form', async () => {
  const { client } = await clientOf(() => ({}))
  const discovery = await client.discovery()
  expect(discovery.version).toBe('v1.29.0')
  expect(discovery.apiVersions).toContain('apps/v1')
  expect(discovery.apiVersions).toContain('apps/v1/DaemonSet')
  expect(discovery.resourceOf('v1', 'Node')).toMatchObject({ plural: 'nodes', namespaced: false })
})

test('server-side apply sends fields that nobody knows, as they are', async () => {
  const { client, seen } = await clientOf(({ body }) => ({ body }))
  const object = { ...configMap, futureField: { nested: [1] } }
  await client.applyServerSide(object, { fieldManager: 'me', force: true, dryRun: true })
  expect(seen[0]).toMatchObject({
    method: 'PATCH',
    path: '/api/v1/namespaces/demo/configmaps/settings',
    query: { fieldManager: 'me', force: 'true', dryRun: 'All', fieldValidation: 'Strict' },
    body: object,
  })
  expect(seen[0]?.headers['content-type']).toBe('application/apply-patch+yaml')
})

test('what is not there is undefined, not an error', async () => {
  const { client } = await clientOf(() =>
    refusal(404, 'NotFound', 'configmaps "settings" not found'),
  )
  expect(await client.get(ref)).toBeUndefined()
})

test('a list is read to its last page, and its items know their kind', async () => {
  const { client, seen } = await clientOf(({ query }) => ({
    body:
      query['continue'] === 'more'
        ? { metadata: {}, items: [{ metadata: { name: 'b' } }] }
        : { metadata: { continue: 'more' }, items: [{ metadata: { name: 'a' } }] },
  }))
  const nodes = await client.list({ apiVersion: 'v1', kind: 'Node', labelSelector: 'a=b' })
  expect(nodes.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
    ['Node', 'a'],
    ['Node', 'b'],
  ])
  expect(seen[0]?.query).toEqual({ labelSelector: 'a=b', limit: '500' })
})

test('a deletion names the uid and says how long its body is', async () => {
  const { client, seen } = await clientOf(() => ({}))
  expect(await client.delete(ref, { uid: 'u1' })).toBe(true)
  expect(seen[0]?.body).toMatchObject({ preconditions: { uid: 'u1' } })
  expect(Number(seen[0]?.headers['content-length'])).toBeGreaterThan(0)
})

test('a deletion of what is gone, or was replaced, is no failure', async () => {
  const gone = await clientOf(() => refusal(404, 'NotFound', 'not found'))
  expect(await gone.client.delete(ref)).toBe(false)
  const replaced = await clientOf(() => refusal(409, 'Conflict', 'the UID does not match'))
  expect(await replaced.client.delete(ref, { uid: 'u1' })).toBe(false)
})

test.each([
  ['429', refusal(429, 'TooManyRequests', 'too many requests')],
  ['503', { status: 503, body: 'starting' }],
  ['a cut connection', undefined],
])('a read is tried again after %s', async (_name, first) => {
  let requests = 0
  const { client } = await clientOf(() => (requests++ === 0 ? first : { body: configMap }))
  expect(await client.get(ref)).toMatchObject(configMap)
  expect(requests).toBe(2)
})

test('an answer that is too large is not used, not asked for again, and no unreachable API', async () => {
  let requests = 0
  const { client } = await clientOf(
    () => {
      requests++
      return { body: { ...configMap, data: { big: 'x'.repeat(20_000) } } }
    },
    { largest: 10_000 },
  )
  await expect(client.get(ref)).rejects.toMatchObject({
    code: 'kubernetes-refused',
    message: expect.stringContaining('is not used: it is larger than 10 kB'),
  })
  expect(requests).toBe(1)
})

test('a refusal carries the reason and the causes of the API', async () => {
  const causes = [{ reason: 'FieldManagerConflict', field: '.data.a', message: 'kubectl-edit' }]
  const { client } = await clientOf(() => refusal(409, 'Conflict', 'conflict', { causes }))
  const applied = client.applyServerSide(configMap, { fieldManager: 'me' })
  await expect(applied).rejects.toMatchObject({
    code: 'kubernetes-refused',
    status: 409,
    reason: 'Conflict',
    target: 'ConfigMap demo/settings',
    causes,
  })
})

test('an eviction is asked for once: a budget says no with 429', async () => {
  const { client, seen } = await clientOf(() => refusal(429, 'TooManyRequests', 'budget'))
  const pod = { apiVersion: 'v1', kind: 'Pod', namespace: 'demo', name: 'web' }
  await expect(client.evict(pod)).rejects.toMatchObject({ status: 429 })
  expect(seen).toHaveLength(1)
})

test('a server that says nothing is unreachable, in time', async () => {
  const { client } = await clientOf(() => ({ body: configMap }), { timeoutMs: 1, retries: 0 })
  await expect(client.get(ref)).rejects.toMatchObject({ code: 'kubernetes-unreachable' })
})

test('a run that is stopped stops waiting', async () => {
  const stop = new AbortController()
  const { client } = await clientOf(
    () => {
      stop.abort(new Error('stopped'))
      return { status: 503 }
    },
    { signal: stop.signal },
  )
  await expect(client.get(ref)).rejects.toThrow('stopped')
})
