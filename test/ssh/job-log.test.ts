import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Redactor } from '../../src/lib/redactor.ts'
import { JobLog } from '../../src/ssh/job-log.ts'

function readInPieces(text: string, size: number, secrets: readonly string[] = []): string[] {
  const redactor = new Redactor()
  for (const secret of secrets) redactor.add(secret)
  const lines: string[] = []
  const log = new JobLog(redactor, (line) => lines.push(line))
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) log.add(bytes.subarray(at, at + size))
  log.end()
  return lines
}

test('lines come back as they were written, however the log was read', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ maxLength: 200 }).map((line) => line.replaceAll('\n', ' ')),
        {
          minLength: 1,
        },
      ),
      fc.integer({ min: 1, max: 50_000 }),
      (lines, size) => {
        const named = lines.map((line, at) => `${at} ${line}`)
        expect(readInPieces(`${named.join('\n')}\n`, size)).toEqual(named)
      },
    ),
  )
})

test('a line is whole also where more than its limit is read at once', () => {
  const lines = Array.from({ length: 900 }, (_, at) => `${at} ${'x'.repeat(150)}`)
  expect(readInPieces(lines.join('\n'), 48 * 1024)).toEqual(lines)
})

test('no piece of a secret is shown where a line is too long to be kept', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 120_000 }),
      fc.integer({ min: 9, max: 90_000 }),
      (before, length) => {
        const secret = 'S'.repeat(length)
        const text = `${'a'.repeat(before)}${secret}${'b'.repeat(100_000)}\n`
        const lines = readInPieces(text, 48 * 1024, [secret])
        expect(lines.join('')).toBe(`${'a'.repeat(before)}***${'b'.repeat(100_000)}`)
      },
    ),
    { numRuns: 30 },
  )
})
