import { expect, test } from 'vitest'
import { objectsAt, textAt } from '../../../src/sandbox/kubernetes/model/read-json.ts'
import { startCluster } from './sim-cluster.ts'

test('tells its version and its health', async () => {
  const { call } = await startCluster()
  const version = await call('GET', '/version')
  expect(version.json).toMatchObject({ major: '1', minor: '32', gitVersion: 'v1.32.0' })
  for (const path of ['/healthz', '/livez', '/readyz']) {
    expect(await call('GET', path)).toMatchObject({ status: 200, text: 'ok' })
  }
})

test('lists groups, their versions and their resources', async () => {
  const { call } = await startCluster()
  expect((await call('GET', '/api')).json).toMatchObject({ versions: ['v1'] })
  const groups = await call('GET', '/apis')
  const names = objectsAt(groups.json, 'groups').map((group) => textAt(group, 'name'))
  for (const name of ['apps', 'batch', 'policy', 'rbac.authorization.k8s.io', 'storage.k8s.io']) {
    expect(names).toContain(name)
  }
  const apps = await call('GET', '/apis/apps/v1')
  expect(objectsAt(apps.json, 'resources')).toContainEqual(
    expect.objectContaining({ name: 'daemonsets', kind: 'DaemonSet', shortNames: ['ds'] }),
  )
  const core = await call('GET', '/api/v1')
  expect(objectsAt(core.json, 'resources')).toContainEqual(
    expect.objectContaining({ name: 'pods/eviction', kind: 'Eviction', group: 'policy' }),
  )
})

test('tells everything in one answer to who understands it', async () => {
  const { call } = await startCluster()
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
  const { json, headers } = await call('GET', '/apis', { accept })
  expect(headers['content-type']).toContain('as=APIGroupDiscoveryList')
  expect(json).toMatchObject({
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
  })
})

test('answers reviews of what one may do', async () => {
  const { call } = await startCluster()
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { verb: 'list', resource: 'pods' } },
  }
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  expect(await call('POST', path, { body })).toMatchObject({
    status: 201,
    json: { status: { allowed: true } },
  })
})

test('does not know paths and resources that are not there', async () => {
  const { call } = await startCluster()
  for (const path of [
    '/nothing',
    '/apis/none/v1',
    '/api/v1/nothings',
    '/apis/apps/v2/daemonsets',
  ]) {
    expect(await call('GET', path)).toMatchObject({ status: 404, json: { reason: 'NotFound' } })
  }
})
