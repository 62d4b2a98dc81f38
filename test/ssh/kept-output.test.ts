import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Redactor } from '../../src/lib/redactor.ts'
import { KeptOutput } from '../../src/ssh/kept-output.ts'

const kept = (most: number, chunks: readonly string[], redactor = new Redactor()) => {
  const output = new KeptOutput(most, redactor)
  for (const chunk of chunks) output.add(Buffer.from(chunk))
  return output.text()
}

test('what is short is kept as it is, also where a character came in two pieces', () => {
  const output = new KeptOutput(100, new Redactor())
  const bytes = Buffer.from('größer')
  for (const byte of bytes) output.add(Buffer.from([byte]))
  expect(output.text()).toBe('größer')
})

test('of much output the end is kept, and how much is missing is noted', () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`)
  const text = kept(1_000, lines)
  expect(text).toMatch(/^\[\d+(\.\d)? kB of output before this are not shown\]\n/)
  expect(text.endsWith('line 19998\nline 19999\n')).toBe(true)
  expect(text.length).toBeLessThan(1_200)
})

test('no piece of a secret is kept, wherever the output is cut and however long the secret is', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 9, max: 400 }), fc.integer({ min: 8_000, max: 40_000 })),
      fc.integer({ min: 20, max: 200 }),
      fc.integer({ min: 0, max: 60_000 }),
      fc.integer({ min: 1, max: 30_000 }),
      (length, most, after, chunk) => {
        const secret = 'S'.repeat(length)
        const redactor = new Redactor()
        redactor.add(secret)
        const all = `${'a'.repeat(500)}${secret}${'b'.repeat(after)}`
        const count = Math.ceil(all.length / chunk)
        const chunks = Array.from({ length: count }, (_, at) =>
          all.slice(at * chunk, (at + 1) * chunk),
        )
        const text = kept(most, chunks, redactor)
        expect(text).not.toContain('SS')
        expect(text.endsWith('b'.repeat(Math.min(after, most)))).toBe(true)
      },
    ),
  )
})

test('a secret that becomes known when a part of it is gone is not shown either', () => {
  const redactor = new Redactor()
  const output = new KeptOutput(100, redactor)
  const secret = 'S'.repeat(250)
  output.add(Buffer.from(`${'a'.repeat(300)}${secret}`))
  output.add(Buffer.from('\n'))
  redactor.add(secret)
  output.add(Buffer.from('the end'))
  expect(output.text()).not.toContain('S')
})
