import fc from 'fast-check'
import { expect, test } from 'vitest'
import { configuring } from '../../scripts/bench/configuring.ts'
import type { Delay } from '../../src/sandbox/delay.ts'

/** A node that is on at `on`, boots at once, and begins with its config `waits` after that. */
function node(target: string, on: number, boot: number, waits: number, configure: number): Delay[] {
  const booted = on + boot
  return [
    { what: 'start_server', target, at: on - 5, ms: 5 },
    { what: 'boot-talos', target, at: on, ms: boot },
    { what: 'configure', target, at: booted + waits, ms: configure },
  ]
}

test('Nodes that wait for nobody take what the slowest of them takes by itself', () => {
  const delays = [...node('a', 10, 20, 0, 5), ...node('b', 100, 40, 0, 5)]
  expect(configuring(delays, ['a', 'b'])).toEqual({ longestMs: 45, slowestOwnMs: 45, ratio: 1 })
})

test('A node that queues is what all wait for', () => {
  const delays = [...node('a', 10, 20, 0, 5), ...node('b', 10, 20, 75, 5)]
  expect(configuring(delays, ['a', 'b'])).toEqual({ longestMs: 100, slowestOwnMs: 25, ratio: 4 })
})

test('A node without a config is no figure', () => {
  expect(() => configuring(node('a', 10, 20, 0, 5), ['a', 'b'])).toThrow('b was never configured')
})

test('It is never less than one node needs, whenever each was switched on', () => {
  const times = fc.record({
    on: fc.nat(1_000),
    boot: fc.integer({ min: 1, max: 500 }),
    waits: fc.nat(500),
    configure: fc.nat(100),
  })
  fc.assert(
    fc.property(fc.array(times, { minLength: 1, maxLength: 20 }), (all) => {
      const names = all.map((_, index) => `node-${index}`)
      const delays = all.flatMap(({ on, boot, waits, configure }, index) =>
        node(names[index] ?? '', on, boot, waits, configure),
      )
      expect(configuring(delays, names).ratio).toBeGreaterThanOrEqual(1)
    }),
  )
})
