import { expect, it } from 'vitest'
import { endSoon } from '../../src/lib/end-process.ts'

it('the end comes by itself, after what was said has been written', async () => {
  const output = { writableLength: 3 }
  const ended = new Promise<number>((resolve) =>
    endSoon([output], () => resolve(output.writableLength)),
  )
  // Keeps this process alive: the timer of the end does not.
  const alive = setInterval(() => undefined, 10)
  const written = () => {
    output.writableLength = 0
  }
  setTimeout(written, 700)
  expect(await ended).toBe(0)
  clearInterval(alive)
})
