import type { Clock } from '../../src/lib/clock.ts'

/** A clock on which nobody waits: a sleep moves the time on and lets others have their turn. */
export function hurriedClock(): Clock & { readonly slept: number[] } {
  let now = Date.UTC(2026, 10, 27)
  const slept: number[] = []
  return {
    slept,
    now: () => now,
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted()
      slept.push(milliseconds)
      now += milliseconds
      await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
    },
  }
}
