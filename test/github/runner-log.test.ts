import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { harmlessText } from '../../src/github/harmless-text.ts'
import { guardRunnerLog } from '../../src/github/runner-log.ts'
import { Redactor } from '../../src/lib/redactor.ts'
import { hostileText, hostileTexts } from './hostile-text.ts'
import { actCommands, githubCommands } from './read-commands.ts'

const commandsIn = (text: string) => [...githubCommands(text), ...actCommands(text)]

function guarded(redactor = new Redactor()) {
  const stream = new PassThrough()
  const chunks: Buffer[] = []
  stream.on('data', (chunk) => chunks.push(chunk))
  const log = guardRunnerLog([stream], redactor)
  return { stream, log, written: () => Buffer.concat(chunks).toString('utf8') }
}

describe('the log of a step', () => {
  test.each(hostileTexts)('holds no command that somebody wrote into a text: %j', (text) => {
    expect(commandsIn(`${text}\n`)).not.toEqual([])
    expect(commandsIn(`${harmlessText(text)}\n`)).toEqual([])
  })

  test('holds no command of any text, however it is cut into writes', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { maxLength: 4 }), fc.nat(3), (texts, width) => {
        const { stream, log, written } = guarded()
        for (const text of texts) {
          if (width === 0) stream.write(Buffer.from(text))
          else
            for (let at = 0; at < text.length; at += width) stream.write(text.slice(at, at + width))
        }
        log.flush()
        expect(commandsIn(written())).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  test('holds nothing but lines of visible characters', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(harmlessText(text)).not.toMatch(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/u)
      }),
    )
  })

  test('shows addresses and ordinary texts as they are', () => {
    const text =
      'open 50000 for 2001:db8::/32 and ::1; std: a # b [c] ### head ▸ Kubernetes 1.37 ✓ é 漢 🙂'
    expect(harmlessText(text)).toBe(text)
  })

  test('lets commands of our own through, on a line of their own', () => {
    const { stream, log, written } = guarded()
    stream.write('a line that has not ended')
    log.command(() => void stream.write('::warning::careful\n'))
    stream.write('::warning::not ours\n')
    expect(githubCommands(written())).toEqual([{ name: 'warning', data: 'careful' }])
    expect(actCommands(written())).toEqual([{ name: 'warning', data: 'careful' }])
    expect(written()).toContain('a line that has not ended\n::warning')
  })

  test('never holds a secret, also one that comes in pieces', () => {
    const redactor = new Redactor()
    redactor.add('planted-secret-1')
    const { stream, log, written } = guarded(redactor)
    for (const piece of ['key: planted-', 'sec', 'ret-1']) stream.write(piece)
    log.flush()
    expect(written()).toBe('key: ***\n')
  })

  test('cuts what would fill it, and keeps what was written before', () => {
    const { stream, log, written } = guarded()
    stream.write(`first\n${'x'.repeat(100_000)}\n`)
    for (let count = 0; count < 100; count++) stream.write('y'.repeat(1_000))
    log.flush()
    expect(written().split('\n')[0]).toBe('first')
    expect(
      Math.max(
        ...written()
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThan(40_000)
  })
})
