import { expect, it } from 'vitest'
import { Disruptions } from '../../src/engine/disruptions.ts'

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
    const done = disruptions.during(name, async () => {
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
  const waiting = disruptions.during('c', async () => {
    begun = true
  })
  stop.abort(new Error('another node failed'))
  await expect(waiting).rejects.toThrow('another node failed')
  await expect(disruptions.begin('b')).rejects.toThrow('another node failed')
  disruptions.end('a')
  expect(begun).toBe(false)
})

it('a node that is out of service from the beginning has a place, and nobody goes beside it', async () => {
  const disruptions = new Disruptions(1, new AbortController().signal)
  disruptions.hold('a')
  disruptions.hold('b')
  disruptions.hold('b')
  const begun: string[] = []
  const done = ['a', 'c'].map((name) =>
    disruptions.during(name, async () => {
      begun.push(name)
    }),
  )
  await turns()
  // Its own work is what brings it back.
  expect(begun).toEqual(['a'])
  disruptions.end('a')
  await turns()
  expect(begun).toEqual(['a'])
  disruptions.end('b')
  await Promise.all(done)
  expect(begun).toEqual(['a', 'c'])
})
