import { expect, it } from 'vitest'
import { Disruptions } from '../../src/phases/disruptions.ts'

const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}

it('so many at a time, in the order in which they came, whoever gives a place back', async () => {
  const disruptions = new Disruptions(2, new AbortController().signal)
  const begun: string[] = []
  await disruptions.begin('a')
  await disruptions.begin('a')
  const ends = ['b', 'c', 'd'].map((name) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = disruptions.during(async () => {
      begun.push(name)
      await promise
    })
    return { resolve, done }
  })
  await turns()
  expect(begun).toEqual(['b'])
  disruptions.end('a')
  disruptions.end('a')
  await turns()
  expect(begun).toEqual(['b', 'c'])
  for (const { resolve } of ends) resolve()
  await Promise.all(ends.map(({ done }) => done))
  expect(begun).toEqual(['b', 'c', 'd'])
})

it('what waits when the run has failed is not begun, and waits no more', async () => {
  const stop = new AbortController()
  const disruptions = new Disruptions(1, stop.signal)
  await disruptions.begin('a')
  let begun = false
  const waiting = disruptions.during(async () => {
    begun = true
  })
  stop.abort(new Error('another node failed'))
  await expect(waiting).rejects.toThrow('another node failed')
  await expect(disruptions.begin('b')).rejects.toThrow('another node failed')
  disruptions.end('a')
  expect(begun).toBe(false)
})
