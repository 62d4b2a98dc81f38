import { expect, test } from 'vitest'
import { derived, given, renewed } from '../../src/lib/renewed.ts'
import { RenewedConnection } from '../../src/lib/renewed-connection.ts'

/** Something good for nine seconds, a clock to set, and connections that know whether they are open. */
function scene() {
  let now = 0
  let minted = 0
  const closed: number[] = []
  const source = renewed({
    lifeMs: 9_000,
    clock: { now: () => now, sleep: async () => undefined },
    mint: async () => ++minted,
  })
  const connection = new RenewedConnection(source, (number) => ({
    number,
    close: () => void closed.push(number),
  }))
  const numberNow = async () => {
    using held = await connection.hold()
    return held.connection.number
  }
  const at = (milliseconds: number) => {
    now = milliseconds
  }
  return { source, connection, closed, numberNow, at }
}

test('it is made when it is first wanted, once for all who want it, and again in its last third', async () => {
  const { source, at } = scene()
  expect(await Promise.all([source.current(), source.current()])).toEqual([1, 1])
  at(5_999)
  expect(await source.current()).toBe(1)
  at(6_000)
  expect(await source.current()).toBe(2)
})

test('what is read out of another is read once for each', async () => {
  const { source, at } = scene()
  const reads: number[] = []
  const text = derived(source, async (number) => {
    reads.push(number)
    return `number ${number}`
  })
  expect([await text.current(), await text.current()]).toEqual(['number 1', 'number 1'])
  at(6_000)
  expect(await text.current()).toBe('number 2')
  expect(reads).toEqual([1, 2])
  expect(await given('as it is').current()).toBe('as it is')
})

test('a connection is kept while its credentials last; the former one closes after its last use', async () => {
  const { connection, closed, numberNow, at } = scene()
  const long = await connection.hold()
  expect([await numberNow(), await numberNow()]).toEqual([1, 1])
  at(6_000)
  expect(await numberNow()).toBe(2)
  expect(closed).toEqual([])
  long[Symbol.dispose]()
  expect(closed).toEqual([1])
  connection[Symbol.dispose]()
  expect(closed).toEqual([1, 2])
})

test('who comes when it was closed leaves nothing open', async () => {
  const { connection, closed, numberNow } = scene()
  connection[Symbol.dispose]()
  expect([await numberNow(), await numberNow()]).toEqual([1, 1])
  expect(closed).toEqual([1, 1])
})
