import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timeLimit } from '../../scripts/time-limit.ts'

describe('the time limit of a check', () => {
  it('has room for anything where there is none', () => {
    expect(timeLimit(undefined, () => 1_000).hasRoomFor(1_000)).toBe(true)
  })

  it('has room for what ends in time, with a tenth to spare', () => {
    const limit = timeLimit(85, () => 40)
    expect(limit.hasRoomFor(40)).toBe(true)
    expect(limit.hasRoomFor(42)).toBe(false)
  })

  it('takes a machine for as slow as it was so far', () => {
    const limit = timeLimit(85, () => 30)
    limit.record(10, 20)
    limit.record(5, 10)
    expect(limit.hasRoomFor(25)).toBe(true)
    expect(limit.hasRoomFor(26)).toBe(false)
  })

  it('does not take it for faster than two idle cores', () => {
    const limit = timeLimit(85, () => 5)
    limit.record(20, 5)
    expect(limit.hasRoomFor(72)).toBe(true)
    expect(limit.hasRoomFor(73)).toBe(false)
  })

  it('has less room the more time is gone, and never for more than is left', () => {
    const minutes = fc.double({ min: 0.1, max: 200, noNaN: true })
    fc.assert(
      fc.property(minutes, minutes, minutes, minutes, (elapsed, later, idle, taken) => {
        const now = timeLimit(85, () => elapsed)
        const then = timeLimit(85, () => elapsed + later)
        for (const limit of [now, then]) limit.record(idle, taken)
        if (then.hasRoomFor(idle)) expect(now.hasRoomFor(idle)).toBe(true)
        if (now.hasRoomFor(idle)) expect(elapsed + idle).toBeLessThanOrEqual(85)
      }),
    )
  })
})
