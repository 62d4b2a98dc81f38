import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBounded, TooLarge, wholeResponse } from '../../src/lib/bounded-bytes.ts'

async function* counted(chunks: readonly Uint8Array[], taken: { bytes: number }) {
  for (const chunk of chunks) {
    taken.bytes += chunk.length
    yield chunk
  }
}

const someChunks = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 })

test('what is within the bound is read as it is, and of the rest no more than one chunk beyond', async () => {
  await fc.assert(
    fc.asyncProperty(someChunks, fc.nat({ max: 200 }), async (chunks, most) => {
      const whole = Buffer.concat(chunks)
      const taken = { bytes: 0 }
      const read = readBounded(counted(chunks, taken), most)
      if (whole.length <= most) expect(Buffer.from(await read).equals(whole)).toBe(true)
      else await expect(read).rejects.toBeInstanceOf(TooLarge)
      expect(taken.bytes).toBeLessThanOrEqual(Math.max(whole.length > most ? most + 20 : most, 0))
    }),
  )
})

/** An answer that never ends. */
function endless(): { response: Response; sent: () => number } {
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1_000
      controller.enqueue(new Uint8Array(1_000))
    },
  })
  return { response: new Response(body, { status: 201, headers: { etag: 'x' } }), sent: () => sent }
}

test('an answer without an end fails, and is asked for no more', async () => {
  const { response, sent } = endless()
  await expect(wholeResponse(response, 10_000)).rejects.toThrow('larger than 10 kB')
  expect(sent()).toBeLessThan(20_000)
})

test('an answer that was read whole is the same answer', async () => {
  const answer = new Response('text', { status: 201, headers: { etag: 'x' } })
  const whole = await wholeResponse(answer, 4)
  expect([whole.status, whole.headers.get('etag'), await whole.text()]).toEqual([201, 'x', 'text'])
})

test('an answer without a body stays one', async () => {
  expect(await (await wholeResponse(new Response(null, { status: 204 }), 1)).text()).toBe('')
})
