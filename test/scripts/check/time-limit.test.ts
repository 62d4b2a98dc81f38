import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timeLimit } from '../../../scripts/check/time-limit.ts'

describe('the time limit of a check', () => {
  it('refuses nothing where there is none', () => {
    const limit = timeLimit(undefined, () => 1_000)
    limit.record(1, 100)
    expect(limit.refusalOf(1_000)).toBeUndefined()
  })

  it('has room for what ends in time, with a tenth to spare', () => {
    const limit = timeLimit(85, () => 40)
    expect(limit.refusalOf(40)).toBeUndefined()
    expect(limit.refusalOf(42)).toContain('it needs 46 minutes, of 85 40 are gone')
  })

  it('takes a machine for as slow as it was so far', () => {
    const limit = timeLimit(85, () => 30)
    limit.record(10, 20)
    limit.record(5, 10)
    expect(limit.refusalOf(25)).toBeUndefined()
    expect(limit.refusalOf(26)).toContain('takes 2.0 times as long')
  })

  it('does not take it for faster than two idle cores', () => {
    const limit = timeLimit(85, () => 5)
    limit.record(20, 5)
    expect(limit.refusalOf(72)).toBeUndefined()
    expect(limit.refusalOf(73)).toContain('takes 1.0 times as long')
  })

  it('refuses on a machine that is too slow to judge, however much time there is', () => {
    const limit = timeLimit(1_000, () => 10)
    limit.record(2, 8)
    expect(limit.refusalOf(1)).toBeUndefined()
    limit.record(1, 5)
    expect(limit.refusalOf(1)).toContain('takes 4.3 times as long')
  })

  it('starts what counts in part while there are minutes for it, on a machine that judges', () => {
    let now = 10
    const limit = timeLimit(85, () => now)
    expect(limit.left()).toBe(75)
    expect(limit.refusalOfAPart()).toBeUndefined()
    now = 83
    expect(limit.refusalOfAPart()).toBe('of 85 minutes 83 are gone')
    now = 10
    limit.record(1, 5)
    expect(limit.refusalOfAPart()).toContain('takes 5.0 times as long')
    expect(timeLimit(undefined, () => 1_000).left()).toBeUndefined()
  })

  it('refuses more the later it is, and whatever needs more than is left', () => {
    const minutes = fc.double({ min: 0.1, max: 200, noNaN: true })
    fc.assert(
      fc.property(minutes, minutes, minutes, minutes, (elapsed, later, idle, taken) => {
        const now = timeLimit(85, () => elapsed)
        const then = timeLimit(85, () => elapsed + later)
        for (const limit of [now, then]) limit.record(idle, taken)
        if (now.refusalOf(idle) !== undefined) expect(then.refusalOf(idle)).toBeDefined()
        if (elapsed + idle > 85) expect(now.refusalOf(idle)).toBeDefined()
      }),
    )
  })
})
