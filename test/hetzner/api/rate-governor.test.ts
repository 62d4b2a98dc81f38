import { describe, expect, test } from 'vitest'
import { RateGovernor } from '../../../src/hetzner/api/rate-governor.ts'
import { hurriedClock } from '../hurried-clock.ts'

function limits(limit: number, remaining: number): Headers {
  return new Headers({
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': '1795737600',
  })
}

describe('the rate governor', () => {
  test('lets requests through while there is plenty, or while nothing is known', async () => {
    const clock = hurriedClock()
    const governor = new RateGovernor(clock)
    await governor.turn()
    governor.hear(limits(3_600, 3_000))
    for (let request = 0; request < 100; request++) await governor.turn()
    expect(clock.slept).toEqual([])
  })

  test('spaces them when little is left, so that the rest is there for the cluster', async () => {
    const clock = hurriedClock()
    const governor = new RateGovernor(clock)
    governor.hear(limits(3_600, 100))
    for (let request = 0; request < 10; request++) await governor.turn()
    expect(clock.slept).toHaveLength(10)
    expect(clock.slept.every((ms) => ms === 2_000)).toBe(true)
  })

  test('is quick again when the budget has come back', async () => {
    const clock = hurriedClock()
    const governor = new RateGovernor(clock)
    governor.hear(limits(3_600, 100))
    await clock.sleep(600_000)
    clock.slept.length = 0
    await governor.turn()
    expect(clock.slept).toEqual([])
  })

  test('ends a burst of its own before the budget is gone', async () => {
    const clock = hurriedClock()
    const governor = new RateGovernor(clock)
    governor.hear(limits(100, 12))
    for (let request = 0; request < 5; request++) await governor.turn()
    expect(clock.slept.length).toBeGreaterThan(0)
  })

  test('pays no heed to answers without a word about limits', async () => {
    const clock = hurriedClock()
    const governor = new RateGovernor(clock)
    governor.hear(new Headers())
    governor.hear(new Headers({ 'RateLimit-Limit': 'many', 'RateLimit-Remaining': '0' }))
    await governor.turn()
    expect(clock.slept).toEqual([])
  })
})
