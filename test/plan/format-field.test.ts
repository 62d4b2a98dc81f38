import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/lib/canonical-json.ts'
import type { Json } from '../../src/lib/json.ts'
import { formatField } from '../../src/plan/format-field.ts'
import { inlineCode } from '../../src/plan/markdown-escape.ts'

const longest = 240

/** Both values of a field as a reader of a plan comment sees them. */
function shown(before: Json | undefined, after: Json | undefined): string[] {
  return formatField({ path: 'a', before, after }, { longest })
    .replace(/^a: /, '')
    .split(' → ')
    .map(inlineCode)
}

/** What is shown of a value itself. */
const part = (text: string) => text.replace(/ \(\d+ characters, SHA-256 \w{12}\)/, '')
/** The same without marks of a cut; half of a character is written in six. */
const bare = (text: string) =>
  part(text)
    .replaceAll(/[`…]/g, '')
    .replaceAll(/\\u\w{4}/g, '.')

const letters = fc.string({
  unit: fc.constantFrom('a', 'b', '\u{1f642}', '\u{1f643}'),
  maxLength: 400,
  size: 'max',
})

describe('a field of a plan', () => {
  test('shows that its values differ, however long they are and whatever they have in common', () => {
    fc.assert(
      fc.property(letters, letters, letters, letters, (head, before, after, tail) => {
        fc.pre(before !== after)
        const texts = shown(`${head}${before}${tail}`, `${head}${after}${tail}`)
        expect(part(texts[0] ?? '')).not.toBe(part(texts[1] ?? ''))
        for (const text of texts) {
          expect(bare(text).length).toBeLessThanOrEqual(longest)
          expect(text.isWellFormed()).toBe(true)
        }
      }),
    )
  })

  test('shows what stands before the first difference, and that it is cut', () => {
    const [head, tail] = ['x'.repeat(1_000), 'y'.repeat(1_000)]
    const [before = '', after = ''] = shown(`${head}old${tail}`, `${head}new${tail}`)
    expect(part(before)).toMatch(/^`…x{80}oldy{157}…`$/)
    expect(part(after)).toMatch(/^`…x{80}newy{157}…`$/)
    expect(before).toContain('(2003 characters, SHA-256 ')
    const [short = '', long = ''] = shown(head, `${head}new`)
    expect([part(short), part(long)]).toEqual([
      `\`…${'x'.repeat(237)}\``,
      `\`…${'x'.repeat(237)}new\``,
    ])
  })

  test('tells apart what looks the same', () => {
    const blank = fc.string({
      unit: fc.constantFrom(' ', '\n', '\t', 'a', '\u200b', '|', '\\'),
      maxLength: 6,
    })
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }).map((json): Json => JSON.parse(JSON.stringify(json))),
      fc.oneof(fc.integer(), fc.boolean()).chain((json) => fc.constantFrom<Json>(json, `${json}`)),
      fc.constantFrom<Json>(null, 'null', '(none)', {}, '{}', [], '[]'),
      blank,
    )
    fc.assert(
      fc.property(fc.option(value, { nil: undefined }), value, (before, after) => {
        fc.pre(before === undefined || canonicalJson(before) !== canonicalJson(after))
        const [was, will] = shown(before, after)
        expect(was).not.toBe(will)
      }),
      { numRuns: 500 },
    )
    expect(shown('1', 1)).toEqual(['`1 (text)`', '`1 (number)`'])
  })

  test('shows no more of secrets than that there is one', () => {
    const redact = (text: string) => text.replace(/secret \w+/, '***')
    const field = { path: 'a', before: 'secret one', after: 'secret two' }
    expect(formatField(field, { longest, redact })).toBe('a: *** → ***')
  })
})
