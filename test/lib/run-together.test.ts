import { expect, it } from 'vitest'
import { runTogether } from '../../src/lib/run-together.ts'

const never = new AbortController().signal

it('gives the results in the order of the tasks', async () => {
  expect(await runTogether(never, () => [Promise.resolve(1), Promise.resolve('two')])).toEqual([
    1,
    'two',
  ])
})

it('ends what runs beside a failure before it throws that', async () => {
  let hasEnded = false
  const beside = (signal: AbortSignal) =>
    new Promise<void>((done) => {
      const end = () => {
        hasEnded = true
        done()
      }
      signal.addEventListener('abort', () => setTimeout(end, 10))
    })
  const failing = runTogether(never, (signal) => [
    Promise.reject(new Error('it failed')),
    beside(signal),
  ])
  await expect(failing).rejects.toThrow('it failed')
  expect(hasEnded).toBe(true)
})

it('ends with whoever runs it', async () => {
  const over = new AbortController()
  const waiting = runTogether(over.signal, (signal) => [
    new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason))),
  ])
  over.abort(new Error('it is over'))
  await expect(waiting).rejects.toThrow('it is over')
})
