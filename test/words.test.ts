import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { markdownFiles } from './docs/markdown-files.ts'

const root = resolve(import.meta.dirname, '..')
const source = join(root, 'src')
const sources = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('sandbox/') && !/\bgen\//.test(file))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }))

const literal = /(['`"])((?:\\.|(?!\1)[^\\\n])*)\1/g
const hint = /\bhint\b\s*[:=]\s*(?:[^'"`\n;{}]*?\?\s*|\n\s*)?(['`"])((?:\\.|(?!\1)[^\\])*)\1/g

/** Words of a dialect that once grew here, and the field's word for each. */
const forbidden: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bdoors?\b/i, 'temporary firewall rule, or firewall'],
  [/\b(mend|mends|mended)\b/i, 'fix, or repair'],
  [/\banew\b/i, 'again; recreated, restarted, rebuilt'],
  [/\bin vain\b/i, 'timed out, or without success'],
  [/\bworld moved\b/i, 'changed since it was approved'],
  [/\b(is|are|be|was) whole\b/i, 'healthy, or complete'],
  [/\b(to be|must be|is not) well\b(?!-)/i, 'healthy'],
  [/\bill\b/, 'unhealthy, or a problem'],
]

/** Tables of hints by code. */
const hintTable = /\bconst hints\b[^{]*\{([\s\S]*?)\n\}/g

test('a hint is a sentence with a capital and an end, or a command of ours', () => {
  const wrong = sources.flatMap(({ file, text }) =>
    [...text.matchAll(hint), ...hintsOfTables(text)]
      .map(([, , words = '']) => words)
      .filter((words) => words.trim() !== '' && !words.startsWith('hcloud-talos '))
      .filter((words) => !/^\s*[A-Z$`<]/.test(words) || !/[.!?)}\]]$|\?\s*$/.test(words))
      .map((words) => `${file}: ${words}`),
  )
  expect(wrong).toEqual([])
})

test('what people read uses the words of the field', () => {
  const wrong = sources.flatMap(({ file, text }) =>
    [...text.matchAll(literal)]
      .map(([, , words = '']) => words)
      .filter((words) => words.includes(' '))
      .flatMap((words) => wordsOfDialect(words).map((instead) => `${file}: ${words} (${instead})`)),
  )
  expect(wrong).toEqual([])
})

test('so do the documents', () => {
  const wrong = markdownFiles()
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) =>
          wordsOfDialect(line).map((instead) => `${path}:${at + 1}: ${line} (${instead})`),
        ),
    )
  expect(wrong).toEqual([])
})

function wordsOfDialect(text: string): string[] {
  return forbidden.filter(([word]) => word.test(text)).map(([, instead]) => instead)
}

function hintsOfTables(text: string): RegExpMatchArray[] {
  return [...text.matchAll(hintTable)].flatMap(([, table = '']) => [
    ...table.matchAll(/:\s*(['`"])((?:\\.|(?!\1)[^\\])*)\1/g),
  ])
}
