import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitMarkdown } from '../../src/github/fit-markdown.ts'

const bytes = (text: string) => Buffer.byteLength(text, 'utf8')

const lines = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '```',
      '<details><summary>more</summary>',
      '</details>',
      'ünïcödé 🚀'.repeat(20),
    ),
  ),
  { maxLength: 60 },
)

describe('Markdown that must fit', () => {
  test('never has more bytes than allowed, and is left alone when it fits', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 400, max: 4_000 }), (parts, limit) => {
        const text = parts.join('\n')
        const fitted = fitMarkdown(text, limit)
        expect(bytes(fitted)).toBeLessThanOrEqual(limit)
        if (bytes(text) <= limit) expect(fitted).toBe(text)
      }),
    )
  })

  test('closes the code fence and the details that it cuts through', () => {
    const text = [
      '<details><summary>x</summary>',
      '',
      '```',
      ...Array(200).fill('line of code'),
    ].join('\n')
    const fitted = fitMarkdown(text, 1_000)
    expect(fitted.match(/^```$/gm)).toHaveLength(2)
    expect(fitted).toContain('</details>')
    expect(fitted).toContain('Cut here')
  })

  test('cuts between lines, never inside a character', () => {
    const fitted = fitMarkdown(Array(500).fill('🚀🚀🚀').join('\n'), 800)
    expect(fitted).not.toContain('\ufffd')
    expect(fitted.split('\n')[0]).toBe('🚀🚀🚀')
  })
})
