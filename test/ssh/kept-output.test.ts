import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Redactor } from '../../src/lib/redactor.ts'
import { KeptOutput } from '../../src/ssh/kept-output.ts'

const kept = (most: number, chunks: readonly string[], redactor = new Redactor()) => {
  const output = new KeptOutput(most)
  for (const chunk of chunks) output.add(Buffer.from(chunk))
  return output.text((text) => redactor.redact(text))
}

test('what is short is kept as it is, also where a character came in two pieces', () => {
  const output = new KeptOutput(100)
  const bytes = Buffer.from('größer')
  for (const byte of bytes) output.add(Buffer.from([byte]))
  expect(output.text((text) => text)).toBe('größer')
})

test('of much output the end is kept, and how much is missing is noted', () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`)
  const text = kept(1_000, lines)
  expect(text).toMatch(/^\[\d+(\.\d)? kB of output before this are not shown\]\n/)
  expect(text.endsWith('line 19998\nline 19999\n')).toBe(true)
  expect(text.length).toBeLessThan(1_200)
})

test('no piece of a secret is kept, wherever the output is cut', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 9, max: 400 }),
      fc.integer({ min: 20, max: 200 }),
      fc.integer({ min: 0, max: 30_000 }),
      (length, most, after) => {
        const secret = 'S'.repeat(length)
        const redactor = new Redactor()
        redactor.add(secret)
        const text = kept(most, ['a'.repeat(500), secret, 'b'.repeat(after)], redactor)
        expect(text).not.toContain('SS')
      },
    ),
  )
})
