import { describe, expect, test } from 'vitest'
import { HetznerApiError } from '../../../src/hetzner/api/hetzner-api-error.ts'
import { createHetznerClient } from '../../../src/hetzner/api/hetzner-client.ts'
import { seededRandom } from '../../../src/lib/random.ts'
import { Redactor } from '../../../src/lib/redactor.ts'
import { hurriedClock } from '../hurried-clock.ts'
import {
  apiError,
  networkJson,
  page,
  type Step,
  scriptedServer,
  testClient,
  token,
} from './scripted-server.ts'

const network: Step = { status: 200, json: { network: networkJson(1, 'demo') } }
const created: Step = { status: 201, json: { network: networkJson(1, 'demo') } }
const conflict: Step = { status: 409, json: apiError('conflict', 'conflict') }
const html502: Step = (response) =>
  response.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>Bad Gateway</html>')
const dropped: Step = (response) => response.destroy()
const newNetwork = { name: 'demo', ip_range: '10.0.0.0/16', subnets: [], labels: {} }

async function failureOf(run: Promise<unknown>): Promise<HetznerApiError> {
  try {
    await run
  } catch (error) {
    if (error instanceof HetznerApiError) return error
    throw error
  }
  throw new Error('it did not fail')
}

describe('a request', () => {
  test('carries the token, what it accepts and who asks', async () => {
    await using server = await scriptedServer([network])
    await testClient(server.url).client.networks.get(1)
    const [seen] = server.seen
    expect(seen?.method).toBe('GET')
    expect(seen?.url).toBe('/v1/networks/1')
    expect(seen?.headers).toMatchObject({
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'user-agent': 'hcloud-talos',
    })
    expect(seen?.headers['content-type']).toBeUndefined()
  })

  test('sends a body as JSON', async () => {
    await using server = await scriptedServer([created])
    await testClient(server.url).client.networks.create(newNetwork)
    expect(server.seen[0]?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(newNetwork)
  })

  test('is counted with each of its retries', async () => {
    await using server = await scriptedServer([conflict, html502, network])
    const { client } = testClient(server.url)
    await client.networks.get(1)
    expect(client.requests).toBe(3)
  })

  test('ignores fields and enum values that it has never heard of', async () => {
    const json = { network: { ...networkJson(1, 'demo'), moon: 'full' }, extra: true }
    await using server = await scriptedServer([{ status: 200, json }])
    expect(await testClient(server.url).client.networks.get(1)).toMatchObject({ name: 'demo' })
  })
})

describe('a failure', () => {
  const cases: [string, Step, string][] = [
    ['an unknown token', { status: 401, json: apiError('unauthorized', 'no') }, 'token-invalid'],
    [
      'a quota, whatever the status',
      { status: 403, json: apiError('resource_limit_exceeded', 'server limit exceeded') },
      'hetzner-limit',
    ],
    [
      'a location without room',
      { status: 412, json: apiError('resource_unavailable', 'error during placement') },
      'hetzner-unavailable',
    ],
    [
      'a type that is not sold there',
      { status: 422, json: apiError('invalid_input', 'unsupported location for server type', {}) },
      'hetzner-unavailable',
    ],
    ['a locked resource', { status: 423, json: apiError('locked', 'locked') }, 'hetzner-conflict'],
    [
      'an answer that is no JSON',
      (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>hello</p>'),
      'hetzner-answer',
    ],
    [
      'an answer of another shape',
      { status: 200, json: { network: { id: 'x' } } },
      'hetzner-answer',
    ],
    [
      'a redirect, which is not followed',
      (response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
      'hetzner-answer',
    ],
  ]
  const limited: Step = { status: 429, json: apiError('rate_limit_exceeded', 'slow down') }
  test.each([
    ['a cut connection', dropped, true],
    ['a rate limit', limited, true],
    ['a refusal', { status: 403, json: apiError('forbidden', 'forbidden') }, false],
  ] as const)('%s is known to be an answer or none', async (_name, step, isUnanswered) => {
    await using server = await scriptedServer(Array.from({ length: 40 }, () => step))
    const error = await failureOf(testClient(server.url).client.networks.get(1))
    expect(error.isUnanswered).toBe(isUnanswered)
  })

  test.each(cases)('%s has its own code', async (_name, step, code) => {
    await using server = await scriptedServer([step])
    const error = await failureOf(testClient(server.url).client.networks.get(1))
    expect(error.code).toBe(code)
    // What cannot be read, or has another shape, is asked for twice more.
    const isUnreadable = code === 'hetzner-answer' && error.status === 200
    expect(server.seen).toHaveLength(isUnreadable ? 3 : 1)
  })

  test('of a write with a read-only token says that the token is read-only', async () => {
    const forbidden = { status: 403, json: apiError('forbidden', 'insufficient permissions') }
    await using server = await scriptedServer([forbidden])
    const { client } = testClient(server.url)
    expect((await failureOf(client.networks.create(newNetwork))).code).toBe('token-read-only')
    expect((await failureOf(client.networks.get(1))).code).toBe('hetzner-failed')
  })

  test('names the fields, their messages and the correlation id', async () => {
    const details = { fields: [{ name: 'ip_range', messages: ['must be private'] }] }
    const json = apiError('invalid_input', 'invalid input', details)
    await using server = await scriptedServer([{ status: 422, json }])
    const error = await failureOf(testClient(server.url).client.networks.create(newNetwork))
    expect(error.fields).toEqual(['ip_range'])
    expect(error.message).toContain('must be private')
    expect(error.message).toContain('0123456789abcdef0123456789abcdef')
    expect(error.target).toBe('demo')
  })

  test('never shows a part of the token', async () => {
    const message = `Limit of '3600' requests per hour for token '${token.slice(0, 32)}...' reached.`
    const json = apiError('rate_limit_exceeded', message)
    await using server = await scriptedServer([{ status: 429, json }])
    const error = await failureOf(testClient(server.url).client.networks.get(1))
    expect(error.code).toBe('hetzner-rate-limit')
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain(token.slice(0, 8))
  })
})

test('an answer that is too large is not used, not asked for again, and no unreachable server', async () => {
  const endless: Step = (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const piece = Buffer.alloc(1 << 20, ' ')
    const more = () => response.write(piece, (error) => void (error || more()))
    more()
  }
  await using server = await scriptedServer([endless])
  const failure = await failureOf(testClient(server.url).client.networks.get(1))
  expect(failure).toMatchObject({ code: 'hetzner-answer', mayHaveTakenEffect: true })
  expect(failure.message).toContain('is not used: it is larger than')
  expect(server.seen).toHaveLength(1)
})

describe('a retry', () => {
  test('follows conflict, rate limit, bad gateway and timeout, for writes too', async () => {
    const steps: Step[] = [
      conflict,
      { status: 429, json: apiError('rate_limit_exceeded', 'limit of 3600 requests reached') },
      { status: 502, json: apiError('bad_gateway', 'bad gateway') },
      { status: 504, json: apiError('timeout', 'timeout') },
      html502,
      network,
    ]
    await using server = await scriptedServer(steps)
    const { client, clock } = testClient(server.url)
    await client.networks.setLabels(1, {})
    expect(server.seen).toHaveLength(6)
    expect(clock.slept.map((ms) => Math.ceil(ms / 1_000))).toHaveLength(5)
    expect(
      clock.slept.every((ms, index) => ms >= 500 * 2 ** index && ms <= 1_000 * 2 ** index),
    ).toBe(true)
  })

  test('ends after five', async () => {
    await using server = await scriptedServer([conflict])
    const error = await failureOf(testClient(server.url).client.networks.setLabels(1, {}))
    expect(error.code).toBe('hetzner-conflict')
    expect(server.seen).toHaveLength(6)
  })

  test('follows other server errors, broken connections and unreadable answers where a repetition is harmless', async () => {
    const broken: Step = { status: 500, json: apiError('server_error', 'oops') }
    const away: Step = { status: 503, json: apiError('unavailable', 'try again later') }
    const odd: Step = (response) => response.writeHead(200).end('<p>hello</p>')
    const steps = [broken, dropped, away, odd, network]
    await using server = await scriptedServer(steps)
    expect(await testClient(server.url).client.networks.get(1)).toMatchObject({ id: 1 })
    expect(server.seen).toHaveLength(5)
    await using other = await scriptedServer(steps)
    expect(await testClient(other.url).client.networks.setLabels(1, {})).toMatchObject({ id: 1 })
    await using always = await scriptedServer([broken])
    await failureOf(testClient(always.url).client.networks.setLabels(1, {}))
    expect(always.seen).toHaveLength(6)
    for (const lost of [broken, away, odd]) {
      await using once = await scriptedServer([lost, created])
      const error = await failureOf(testClient(once.url).client.networks.create(newNetwork))
      expect(error.mayHaveTakenEffect).toBe(true)
      expect(once.seen).toHaveLength(1)
    }
  })

  test('bears a rate limit for minutes, creates included, and not for ever', async () => {
    const limited: Step = { status: 429, json: apiError('rate_limit_exceeded', 'limit reached') }
    await using server = await scriptedServer([...Array<Step>(10).fill(limited), created])
    const { client, clock } = testClient(server.url)
    expect(await client.networks.create(newNetwork)).toMatchObject({ id: 1 })
    const waited = clock.slept.reduce((sum, ms) => sum + ms, 0)
    expect(waited).toBeGreaterThan(120_000)
    await using always = await scriptedServer([limited])
    const error = await failureOf(testClient(always.url).client.networks.get(1))
    expect(error.code).toBe('hetzner-rate-limit')
    expect(always.seen).toHaveLength(11)
  })

  test('never repeats a create whose answer was lost', async () => {
    for (const lost of [dropped, html502, { status: 504, json: apiError('timeout', 'timeout') }]) {
      await using server = await scriptedServer([lost, created])
      const { client } = testClient(server.url)
      const error = await failureOf(client.networks.create(newNetwork))
      expect(error.mayHaveTakenEffect).toBe(true)
      expect(server.seen).toHaveLength(1)
    }
  })

  test('repeats a create that was surely refused', async () => {
    await using server = await scriptedServer([conflict, created])
    const { client } = testClient(server.url)
    expect(await client.networks.create(newNetwork)).toMatchObject({ id: 1 })
  })

  test('does not go on for ever with the same name', async () => {
    await using server = await scriptedServer([
      { status: 409, json: apiError('uniqueness_error', 'name is already used') },
    ])
    const { client } = testClient(server.url)
    for (let round = 0; round < 5; round++) await failureOf(client.networks.create(newNetwork))
    await expect(client.networks.create(newNetwork)).rejects.toMatchObject({
      code: 'hetzner-failed',
    })
    expect(server.seen).toHaveLength(5)
  })

  test('is short for an address that has never answered', async () => {
    const { client, clock } = testClient('http://127.0.0.1:1/v1')
    const error = await failureOf(client.networks.get(1))
    expect(error.code).toBe('hetzner-unreachable')
    expect(clock.slept).toHaveLength(1)
    expect(client.requests).toBe(2)
  })
})

describe('time', () => {
  test('without an answer runs out', async () => {
    await using server = await scriptedServer([() => {}])
    const { client } = testClient(server.url, { timeoutMs: 30 })
    expect((await failureOf(client.networks.create(newNetwork))).code).toBe('hetzner-unreachable')
  })

  test('ends when the run is aborted, with the reason of that', async () => {
    const controller = new AbortController()
    await using server = await scriptedServer([() => controller.abort(new Error('Ctrl-C'))])
    const { client } = testClient(server.url, { signal: controller.signal })
    await expect(client.networks.get(1)).rejects.toThrow('Ctrl-C')
    await using after = await scriptedServer([network])
    const again = testClient(after.url, { signal: controller.signal }).client
    expect(await again.withSignal(undefined).networks.get(1)).toMatchObject({ id: 1 })
  })
})

describe('a list', () => {
  test('is read page by page until there is no next one', async () => {
    await using server = await scriptedServer([
      { status: 200, json: page('networks', [networkJson(1, 'a'), networkJson(2, 'b')], 2, 3) },
      { status: 200, json: page('networks', [networkJson(3, 'c')], null, 3) },
    ])
    const found = await testClient(server.url).client.networks.list({ label_selector: 'uid=1' })
    expect(found.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/v1/networks?label_selector=uid%3D1&page=1&per_page=50',
      '/v1/networks?label_selector=uid%3D1&page=2&per_page=50',
    ])
  })

  test('that moved while it was read is read again', async () => {
    await using server = await scriptedServer([
      { status: 200, json: page('networks', [networkJson(1, 'a'), networkJson(2, 'b')], 2, 4) },
      // 1 went: 3 moved to the first page, unseen.
      { status: 200, json: page('networks', [networkJson(4, 'd')], null, 4) },
      { status: 200, json: page('networks', [networkJson(2, 'b'), networkJson(3, 'c')], 2, 3) },
      { status: 200, json: page('networks', [networkJson(4, 'd')], null, 3) },
    ])
    const found = await testClient(server.url).client.networks.list()
    expect(found.map(({ name }) => name)).toEqual(['b', 'c', 'd'])
  })

  test('in which as many came as are left, but not the same ones, is read again', async () => {
    await using server = await scriptedServer([
      { status: 200, json: page('networks', [networkJson(1, 'a'), networkJson(2, 'b')], 2, 4) },
      // 1 went: 3 moved to the first page, unseen; three came, and three are left.
      { status: 200, json: page('networks', [networkJson(4, 'd')], null, 3) },
      { status: 200, json: page('networks', [networkJson(2, 'b'), networkJson(3, 'c')], 2, 3) },
      { status: 200, json: page('networks', [networkJson(4, 'd')], null, 3) },
    ])
    const found = await testClient(server.url).client.networks.list()
    expect(found.map(({ name }) => name)).toEqual(['b', 'c', 'd'])
  })

  test('that never stands still is an error, and not a list that lacks something', async () => {
    await using server = await scriptedServer([
      { status: 200, json: page('networks', [networkJson(1, 'a')], null, 2) },
    ])
    await expect(testClient(server.url).client.networks.list()).rejects.toMatchObject({
      code: 'hetzner-answer',
      operation: 'list networks',
    })
    expect(server.seen).toHaveLength(3)
  })

  test('that runs in a circle is an error', async () => {
    await using server = await scriptedServer([
      { status: 200, json: page('networks', [networkJson(1, 'a')], 1, 3) },
    ])
    await expect(testClient(server.url).client.networks.list()).rejects.toMatchObject({
      code: 'hetzner-answer',
    })
  })
})

describe('a client', () => {
  const parts = { clock: hurriedClock(), random: seededRandom(1) }

  test('is not made without a token, nor with one that can be none', () => {
    const redactor = new Redactor()
    expect(() => createHetznerClient({ ...parts, redactor, token: '' })).toThrow('no token')
    const broken = 'abcdefghijklmnop\nqrstuvwxyz'
    expect(() => createHetznerClient({ ...parts, redactor, token: broken })).toThrow(
      /^(?!.*abcdefgh).*characters/,
    )
  })

  test('sends its token over HTTPS only, but for loopback', () => {
    const redactor = new Redactor()
    const make = (endpoint: string) => createHetznerClient({ ...parts, redactor, token, endpoint })
    expect(() => make('http://api.hetzner.cloud/v1')).toThrow('https')
    expect(() => make('not a url')).toThrow('https')
    expect(() => make('https://api.hetzner.cloud/v1')).not.toThrow()
    expect(() => make('http://127.0.0.1:8080/v1')).not.toThrow()
  })

  test('makes the token known as a secret', () => {
    const redactor = new Redactor()
    createHetznerClient({ ...parts, redactor, token })
    expect(redactor.redact(`the token is ${token}`)).toBe('the token is ***')
  })
})
