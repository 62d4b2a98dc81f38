import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { boundedFetch } from '../../src/github/bounded-fetch.ts'
import { postPlanComment } from '../../src/github/plan-comment.ts'
import { createRepositoryApi } from '../../src/github/repository-api.ts'
import { readRepositoryFacts } from '../../src/github/repository-facts.ts'
import { createClock } from '../../src/lib/clock.ts'
import { systemRandom } from '../../src/lib/random.ts'

/** A GitHub that answers as a test says; ends with the test. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

const limitText = 'You have exceeded a secondary rate limit.'

/** Answers with limits first, of each kind that GitHub has, and then as it should. */
function limitedAtFirst(answer: string): { listener: RequestListener; asked: () => number } {
  const inAMinute = String(Math.floor(Date.now() / 1_000) + 60)
  const limits: [number, Record<string, string>, string][] = [
    [429, { 'retry-after': '7' }, 'slow down'],
    [
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inAMinute },
      'API rate limit exceeded',
    ],
    [403, {}, limitText],
  ]
  let asked = 0
  return {
    asked: () => asked,
    listener: (_, response) => {
      const [status, headers, message] = limits[asked++] ?? [200, {}, '']
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(status === 200 ? answer : JSON.stringify({ message }))
    },
  }
}

const clock = createClock(2_000)
const place = { owner: 'org', repository: 'clusters' }
const comment = { ...place, pullRequest: 7, clusterName: 'demo', body: 'a plan' }

describe('what GitHub is asked', () => {
  it('ends when it accepts and never answers', async () => {
    const url = await serve(() => undefined)
    const fetch = boundedFetch({ clock, answerMs: 100 })
    await expect(fetch(url)).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('fails where an answer breaks off, and is not taken for an empty one', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('[', () => response.destroy())
    })
    await expect(boundedFetch({ clock })(url)).rejects.toThrow('terminated')
    expect(await postPlanComment(comment, { token: 'x', apiUrl: url })).toMatchObject({
      posted: false,
    })
  })

  it('ends when an answer begins and does not go on', async () => {
    const url = await serve((_, response) => void response.writeHead(200).write('{'))
    const asked = boundedFetch({ clock, answerMs: 300 })(url)
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('ends at once when the run does', async () => {
    const url = await serve(() => undefined)
    const ended = new AbortController()
    const asked = boundedFetch({ clock })(url, { signal: ended.signal })
    ended.abort(new Error('cancelled'))
    await expect(asked).rejects.toThrow('cancelled')
  })

  it('is asked again after a limit, when GitHub says so, and the wait is reported', async () => {
    const { listener, asked } = limitedAtFirst('[]')
    const url = await serve(listener)
    const waits: string[] = []
    const response = await boundedFetch({ clock, onLimit: (limit) => waits.push(limit) })(url)
    expect(response.status).toBe(200)
    expect(asked()).toBe(4)
    expect(waits[0]).toContain('waiting 7 s')
    expect(waits[2]).toContain('waiting 60 s')
  })

  it('is not asked again behind a bound, and a limit is no missing permission', async () => {
    const url = await serve((_, response) => {
      response.writeHead(403, { 'content-type': 'application/json', 'retry-after': '3600' })
      response.end(JSON.stringify({ message: limitText }))
    })
    const access = { token: 'token', apiUrl: url, clock }
    const posted = await postPlanComment(comment, access)
    expect(posted).toMatchObject({
      posted: false,
      reason: expect.stringContaining('limits how often'),
    })
    await expect(
      readRepositoryFacts({ ...access, ...place }, { state: 's', lock: 'l' }),
    ).rejects.toMatchObject({ message: expect.stringContaining('limits how often') })
    const api = createRepositoryApi({ ...access, ...place, random: systemRandom })
    const tree = api.createTree(undefined, new Map([['a', 'b']]))
    await expect(tree).rejects.toMatchObject({
      code: 'state-unreachable',
      message: expect.stringContaining('limits how often'),
    })
  })

  it('shows its token to no host that it is sent on to', async () => {
    const seen: (string | undefined)[] = []
    const other = await serve(({ headers }, response) => {
      seen.push(headers.authorization)
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
    })
    const url = await serve((request, response) => {
      const location = `${other.replace('127.0.0.1', 'localhost')}${request.url}`
      response.writeHead(302, { location }).end()
    })
    await postPlanComment(comment, { token: 'canary-token', apiUrl: url, clock })
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.filter(Boolean)).toEqual([])
  })
})
