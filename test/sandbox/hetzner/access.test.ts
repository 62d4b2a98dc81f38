import { expect, test } from 'vitest'
import { sandboxTokens } from '../../../src/sandbox/hetzner/api/serve-hetzner.ts'
import { startProject } from './project.ts'

const [readWrite = '', readOnly = ''] = Object.keys(sandboxTokens)

test('An unknown route is 404 even without a token, a known one 401 whatever the method', async () => {
  await using project = await startProject()
  const unknown = await project.call('GET', '/nothing', undefined, '')
  expect(unknown.status).toBe(404)
  expect(unknown.body).toEqual({
    error: { message: 'api route not found', code: 'not_found', details: null },
  })
  const missing = await project.call('DELETE', '/servers', undefined, '')
  expect([missing.status, missing.body.error.message]).toEqual([401, 'token is required'])
  const wrong = await project.call('GET', '/servers', undefined, 'wrong')
  expect(wrong.body.error.message).toBe('the token you have provided is invalid')
  expect((await project.call('DELETE', '/servers')).code).toBe('method_not_allowed')
})

test('A read-only token reads and is refused before its body is looked at', async () => {
  await using project = await startProject()
  expect((await project.call('GET', '/servers', undefined, readOnly)).status).toBe(200)
  const refused = await project.call('POST', '/servers', 'not json', readOnly)
  expect([refused.status, refused.code]).toEqual([403, 'forbidden'])
})

test('What no API has is refused and taken down as a mistake of the client', async () => {
  await using project = await startProject()
  expect((await project.call('POST', '/networks', '{')).code).toBe('json_error')
  const unknown = await project.call('POST', '/placement_groups', {
    name: 'pg',
    type: 'spread',
    colour: 'red',
  })
  expect(unknown.body.error).toEqual({
    code: 'invalid_input',
    message: "invalid input in field 'colour'",
    details: { fields: [{ name: 'colour', messages: ['unknown field'] }] },
  })
  expect((await project.call('GET', '/servers?label=a')).status).toBe(422)
  expect(
    (await project.call('POST', '/networks', { name: 1, ip_range: '10.0.0.0/16' })).status,
  ).toBe(422)
  expect(project.world.contractErrors).toEqual([
    'POST /placement_groups: body: Unrecognized key: "colour"',
    'GET /servers: unknown query key label',
    'POST /networks: name: Invalid input: expected string, received number',
  ])
})

test('A value that Hetzner refuses is no mistake of the client', async () => {
  await using project = await startProject()
  const refused = await project.call('POST', '/placement_groups', { name: ' pg', type: 'spread' })
  expect(refused.code).toBe('invalid_input')
  expect(project.world.contractErrors).toEqual([])
})

test('Every answer tells the rate limit and carries a correlation id', async () => {
  await using project = await startProject({ requestsPerHour: 3600 })
  const { headers } = await project.call('GET', '/locations')
  expect(headers.get('x-correlation-id')).toMatch(/^[0-9a-f]{32}$/)
  expect(headers.get('ratelimit-limit')).toBe('3600')
  expect(headers.get('ratelimit-remaining')).toBe('3599')
  expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(1_000_000_000)
})

test('The bucket of requests runs dry, and fills again with time', async () => {
  let now = 1_800_000_000_000
  const clock = { now: () => now, sleep: async () => {} }
  await using project = await startProject({ requestsPerHour: 3, clock })
  for (let count = 0; count < 3; count++) await project.call('GET', '/locations')
  const dry = await project.call('GET', '/locations')
  expect([dry.status, dry.code]).toEqual([429, 'rate_limit_exceeded'])
  expect(dry.body.error.message).toBe('limit of 3 requests per hour reached')
  now += 20 * 60_000
  expect((await project.call('GET', '/locations')).status).toBe(200)
  expect((await project.call('GET', '/locations')).status).toBe(429)
})

test('Each failure of the outside can be played, and each only as often as asked', async () => {
  await using project = await startProject()
  const { faults } = project.world
  const outcomes = [
    ['conflict', 409],
    ['locked', 423],
    ['rate-limit', 429],
    ['timeout', 504],
    ['server-error', 500],
    ['unavailable', 503],
    ['no-capacity', 412],
    ['limit', 403],
  ] as const
  for (const [kind, status] of outcomes) {
    faults.inject({ kind, route: 'GET /networks/{id}' })
    expect((await project.call('GET', '/networks/1')).status).toBe(status)
    expect((await project.call('GET', '/networks/1')).status).toBe(404)
  }
  faults.inject({ kind: 'bad-gateway', times: 2 })
  const page = await project.call('GET', '/locations')
  expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html'])
  expect((await project.call('GET', '/locations')).status).toBe(502)
  faults.inject({ kind: 'rate-limit-token' })
  const leaky = await project.call('GET', '/locations')
  expect(leaky.body.error.message).toContain(`${readWrite.slice(0, 32)}...`)
  faults.inject({ kind: 'conflict' })
  faults.clear()
  expect((await project.call('GET', '/locations')).status).toBe(200)
})

test('A connection can be cut before the effect, or after it so that the answer is lost', async () => {
  await using project = await startProject()
  const group = { name: 'pg', type: 'spread' }
  project.world.faults.inject({ kind: 'drop-before', route: 'POST /placement_groups' })
  await expect(project.call('POST', '/placement_groups', group)).rejects.toThrow()
  expect(project.world.hetzner.placementGroups.size).toBe(0)
  project.world.faults.inject({ kind: 'drop-after', route: 'POST /placement_groups' })
  await expect(project.call('POST', '/placement_groups', group)).rejects.toThrow()
  expect(project.world.hetzner.placementGroups.size).toBe(1)
  expect((await project.call('POST', '/placement_groups', group)).code).toBe('uniqueness_error')
})

test('Answers can hold what no client of today has heard of', async () => {
  await using project = await startProject()
  project.world.faults.unknownFields = true
  project.world.faults.unknownEnumValues = true
  const { body } = await project.call('GET', '/server_types?name=cx23')
  expect(body.x_future_field).toBeDefined()
  expect(body.server_types[0]).toMatchObject({ cpu_type: 'elastic', x_future_field: {} })
})

test('Lists come in pages with a Link header, and can hide where they end', async () => {
  await using project = await startProject()
  for (let count = 0; count < 5; count++) {
    await project.create('/placement_groups', { name: `pg-${count}`, type: 'spread' })
  }
  const { body, headers } = await project.call(
    'GET',
    '/placement_groups?page=2&per_page=2&sort=name:desc',
  )
  expect(body.placement_groups.map(({ name }: { name: string }) => name)).toEqual(['pg-2', 'pg-1'])
  expect(body.meta.pagination).toEqual({
    page: 2,
    per_page: 2,
    previous_page: 1,
    next_page: 3,
    last_page: 3,
    total_entries: 5,
  })
  expect(headers.get('link')).toMatch(/page=1.*rel="prev".*page=3.*rel="next".*page=3.*rel="last"/)
  project.world.faults.nullLastPage = true
  const last = await project.call('GET', '/placement_groups?page=3&per_page=2')
  expect(last.body.meta.pagination).toMatchObject({
    next_page: null,
    last_page: null,
    total_entries: null,
  })
  expect((await project.call('GET', '/placement_groups?per_page=51')).code).toBe('invalid_input')
})
