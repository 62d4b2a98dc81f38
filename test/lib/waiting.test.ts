import { describe, expect, test } from 'vitest'
import { createClock } from '../../src/lib/clock.ts'
import { ClusterError, isClusterError } from '../../src/lib/cluster-error.ts'
import { createLimit } from '../../src/lib/limit.ts'
import { randomFraction, seededRandom, systemRandom } from '../../src/lib/random.ts'
import { retry } from '../../src/lib/retry.ts'
import { waitFor } from '../../src/lib/wait-for.ts'

const clock = createClock(10_000)
const random = seededRandom(1)

describe('retry', () => {
  const policy = { retries: 3, baseMs: 1_000, maxMs: 4_000, retryable: () => true }

  test('gives back the first success', async () => {
    const answer = await retry(
      async (attempt) => {
        if (attempt < 2) throw new Error('not yet')
        return attempt
      },
      policy,
      { clock, random },
    )
    expect(answer).toBe(2)
  })

  test('stops after its retries, with the last failure', async () => {
    let attempts = 0
    const run = retry(
      async () => {
        throw new Error(`failure ${++attempts}`)
      },
      policy,
      { clock, random },
    )
    await expect(run).rejects.toThrow('failure 4')
  })

  test('does not repeat what is not worth repeating', async () => {
    let attempts = 0
    const run = retry(
      async () => {
        attempts++
        throw new Error('final')
      },
      { ...policy, retryable: () => false },
      { clock, random },
    )
    await expect(run).rejects.toThrow('final')
    expect(attempts).toBe(1)
  })

  test('waits longer each time, within the bounds, with jitter', async () => {
    const waits: number[] = []
    const run = retry(
      async () => {
        throw new Error('again')
      },
      { ...policy, onRetry: (_error, _attempt, waitMs) => waits.push(waitMs) },
      { clock, random },
    )
    await expect(run).rejects.toThrow('again')
    for (const [index, longest] of [1_000, 2_000, 4_000].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(longest / 2)
      expect(waits[index]).toBeLessThanOrEqual(longest)
    }
  })
})

describe('waitFor', () => {
  test('returns what was awaited and tells each reason once', async () => {
    const reasons: string[] = []
    let looked = 0
    const found = await waitFor(
      'three looks',
      async () => (++looked < 3 ? { pending: 'too few' } : { done: looked }),
      { clock, everyMs: 1_000, withinMs: 86_400_000, onPending: (reason) => reasons.push(reason) },
    )
    expect(found).toBe(3)
    expect(reasons).toEqual(['too few'])
  })

  test('ends without success with the sentence and the last reason', async () => {
    const wait = waitFor('rain', async () => ({ pending: 'the sun shines' }), {
      clock,
      everyMs: 1_000,
      withinMs: 5_000,
    })
    await expect(wait).rejects.toSatisfy(
      (error) =>
        isClusterError(error, 'wait-timeout') &&
        error.message.includes('rain') &&
        error.message.includes('the sun shines'),
    )
  })

  test('ends with the error of its caller where there is one', async () => {
    const wait = waitFor('rain', async () => ({ pending: 'the sun shines' }), {
      clock,
      everyMs: 1_000,
      withinMs: 5_000,
      timedOut: () => new ClusterError('leftovers', 'it is still dry'),
    })
    await expect(wait).rejects.toMatchObject({ code: 'leftovers', message: 'it is still dry' })
  })

  test('an aborted signal ends it with the reason of the abort', async () => {
    const controller = new AbortController()
    const wait = waitFor('ever', async () => ({ pending: 'never' }), {
      clock: createClock(),
      everyMs: 60_000,
      withinMs: 3_600_000,
      signal: controller.signal,
    })
    controller.abort(new Error('cancelled'))
    await expect(wait).rejects.toThrow('cancelled')
  })
})

describe('a limit', () => {
  test('lets work go on after a failure', async () => {
    const limit = createLimit(1)
    await expect(limit(() => Promise.reject(new Error('one fails')))).rejects.toThrow('one fails')
    await expect(limit(async () => 'the next runs')).resolves.toBe('the next runs')
  })

  test('holds also for somebody who comes while a place is handed on, and keeps the order', async () => {
    const limit = createLimit(1)
    const order: string[] = []
    let running = 0
    const work = (name: string, release: Promise<void>) =>
      limit(async () => {
        order.push(name)
        running++
        expect(running).toBe(1)
        await release
        running--
      })
    const first = Promise.withResolvers<void>()
    const done = [work('first', first.promise), work('second', Promise.resolve())]
    first.resolve()
    // One comes at every turn of the queue of microtasks while the place goes from hand to hand.
    for (let turn = 0; turn < 20; turn++) {
      await null
      done.push(work(`late ${turn}`, Promise.resolve()))
    }
    await Promise.all(done)
    expect(order.slice(0, 4)).toEqual(['first', 'second', 'late 0', 'late 1'])
  })
})

describe('randomness', () => {
  test('a seed gives the same bytes again, another seed others', () => {
    expect(seededRandom(7).bytes(16)).toEqual(seededRandom(7).bytes(16))
    expect(seededRandom(7).bytes(16)).not.toEqual(seededRandom(8).bytes(16))
  })

  test('a fraction lies in [0, 1)', () => {
    for (let index = 0; index < 1_000; index++) {
      const fraction = randomFraction(systemRandom)
      expect(fraction).toBeGreaterThanOrEqual(0)
      expect(fraction).toBeLessThan(1)
    }
  })
})

test('a clock counts what passes, and does not follow a calendar that is set', () => {
  const time = { calendar: 1_000_000, elapsed: 50 }
  const clock = createClock(2, { calendar: () => time.calendar, elapsed: () => time.elapsed })
  expect(clock.now()).toBe(1_000_000)
  time.elapsed += 10
  time.calendar += 3 * 60 * 60_000
  expect(clock.now()).toBe(1_000_020)
})
