import { describe, expect, test } from 'vitest'
import { actionJson, scriptedServer, testClient } from './scripted-server.ts'

const wait = { operation: 'create server', target: 'demo-workers-1' }

function idsOf(url: string): number[] {
  return new URL(url, 'http://x').searchParams.getAll('id').map(Number)
}

/** Answers about actions: each succeeds at the nth look at it. */
function succeedAt(look: number) {
  const looks = new Map<number, number>()
  return scriptedServer([
    (response, { url }) => {
      const actions = idsOf(url).map((id) => {
        const seen = (looks.get(id) ?? 0) + 1
        looks.set(id, seen)
        return actionJson(id, seen >= look ? 'success' : 'running')
      })
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ actions }))
    },
  ])
}

describe('the action waiter', () => {
  test('asks nothing about actions that have ended well', async () => {
    await using server = await scriptedServer([{ status: 500 }])
    const { client } = testClient(server.url)
    await client.waitForActions([actionJson(1, 'success')], wait)
    await client.waitForActions([], wait)
    expect(server.seen).toHaveLength(0)
  })

  test('waits for all of them and tells how far they are', async () => {
    await using server = await succeedAt(3)
    const { client } = testClient(server.url)
    const fractions: number[] = []
    await client.waitForActions([actionJson(1, 'running'), actionJson(2, 'running')], {
      ...wait,
      onProgress: (fraction) => fractions.push(fraction),
    })
    expect(server.seen).toHaveLength(3)
    expect(fractions.at(0)).toBeCloseTo(0.3)
    expect(fractions.at(-1)).toBe(1)
  })

  test('shares its questions among all who wait, 25 ids in each', async () => {
    await using server = await succeedAt(4)
    const { client } = testClient(server.url)
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        client.waitForActions([actionJson(index + 1, 'running')], wait),
      ),
    )
    expect(server.seen).toHaveLength(16)
    expect(server.seen.every(({ url }) => idsOf(url).length === 25)).toBe(true)
  })

  test('looks less often the longer an action takes', async () => {
    await using server = await succeedAt(20)
    const { client, clock } = testClient(server.url)
    const began = clock.now()
    await client.waitForActions([actionJson(1, 'running')], wait)
    expect(clock.now() - began).toBeGreaterThan(20_000)
    expect(clock.slept.every((ms) => ms <= 500)).toBe(true)
  })

  test('fails with the code of the action that failed', async () => {
    await using server = await scriptedServer([
      {
        status: 200,
        json: {
          actions: [
            actionJson(1, 'error', {
              error: { code: 'resource_unavailable', message: 'error during placement' },
            }),
          ],
        },
      },
    ])
    const { client } = testClient(server.url)
    const waiting = client.waitForActions([actionJson(1, 'running')], wait)
    await expect(waiting).rejects.toMatchObject({
      code: 'hetzner-unavailable',
      apiCode: 'resource_unavailable',
      target: 'demo-workers-1',
    })
  })

  test('fails when Hetzner does not know the action', async () => {
    await using server = await scriptedServer([{ status: 200, json: { actions: [] } }])
    const waiting = testClient(server.url).client.waitForActions([actionJson(9, 'running')], wait)
    await expect(waiting).rejects.toMatchObject({ apiCode: 'action_not_found' })
  })

  test('ends at its time limit, and others go on', async () => {
    await using server = await succeedAt(30)
    const { client } = testClient(server.url)
    const slow = client.waitForActions([actionJson(1, 'running')], { ...wait, withinMs: 5_000 })
    const patient = client.waitForActions([actionJson(1, 'running')], wait)
    await expect(slow).rejects.toMatchObject({ code: 'wait-timeout' })
    await expect(patient).resolves.toBeUndefined()
  })

  test('ends when the run is aborted', async () => {
    const controller = new AbortController()
    await using server = await scriptedServer([
      (response) => {
        controller.abort(new Error('Ctrl-C'))
        response.writeHead(200, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify({ actions: [actionJson(1, 'running')] }))
      },
    ])
    const { client } = testClient(server.url, { signal: controller.signal })
    const waiting = client.waitForActions([actionJson(1, 'running')], wait)
    await expect(waiting).rejects.toThrow('Ctrl-C')
  })
})
