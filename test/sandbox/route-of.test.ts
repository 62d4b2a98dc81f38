import { expect, it } from 'vitest'
import { knownRoutes } from '../../scripts/front-requests/known-routes.ts'
import { routeOf } from '../../scripts/front-requests/route-of.ts'

const sha = 'a'.repeat(40)

it.each([
  ['hetzner', 'GET', '/servers', 'hetzner GET /servers'],
  ['hetzner', 'POST', '/servers/42/actions/poweron', 'hetzner POST /servers/{}/actions/poweron'],
  ['talos', 'EtcdMemberList', '/demo-control-plane-1', 'talos EtcdMemberList'],
  ['github', 'POST', '/graphql', 'github POST /graphql'],
  ['github', 'GET', '/repos/org/clusters', 'github GET /repos/{}/{}'],
  [
    'github',
    'GET',
    `/repos/org/x/commits/${sha}/pulls`,
    'github GET /repos/{}/{}/commits/{}/pulls',
  ],
  ['github', 'GET', '/repos/a/b/rules/branches/x/y', 'github GET /repos/{}/{}/rules/branches/{}'],
  [
    'github',
    'GET',
    '/repos/a/b/environments/production/secrets',
    'github GET /repos/{}/{}/environments/{}/secrets',
  ],
  ['kubernetes', 'GET', '/api/v1/nodes/demo-1', 'kubernetes GET /api/v1/nodes/{}'],
  ['kubernetes', 'GET', '/api/v1/namespaces/demo', 'kubernetes GET /api/v1/namespaces/{}'],
  [
    'kubernetes',
    'POST',
    '/api/v1/namespaces/demo/pods/one/eviction',
    'kubernetes POST /api/v1/namespaces/{}/pods/{}/eviction',
  ],
  [
    'kubernetes',
    'PATCH',
    '/apis/apps/v1/namespaces/demo/deployments/one',
    'kubernetes PATCH /apis/apps/v1/namespaces/{}/deployments/{}',
  ],
  ['storage', 'PUT', '/bucket/key', 'storage PUT'],
])('a request to %s, %s %s, takes the route %s', (front, method, path, route) => {
  expect(routeOf({ front, method, path })).toBe(route)
})

it('the routes that fronts know are written as those that are asked for', () => {
  const known = knownRoutes()
  expect(known).toContain('hetzner GET /servers/{}')
  expect(known).toContain('talos EtcdMemberList')
})
