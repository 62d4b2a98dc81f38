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

interface Term {
  readonly term: string
  /** Words that once stood for it and are not used. */
  readonly not: readonly string[]
}

const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
const terms: readonly Term[] = [...glossary.matchAll(/^\| (.+?) \| .+? \| .+? \|(.*)\|$/gm)]
  .map(([, term = '', not = '']) => ({ term, not: wordsIn(not) }))
  .filter(({ term }) => term !== 'term' && !term.startsWith('---'))
/** Rejected everywhere, with the term to use. */
const forbidden = terms.flatMap(({ term, not }) =>
  not.map((word) => [pattern(word), term] as const),
)
/** Rejected in what the program prints. */
const spoken = wordsIn(/rejected as well: ([^.]+)\./.exec(glossary)?.[1] ?? '').map(
  (word) => [pattern(word), 'reports, shows, prints, names, ...'] as const,
)

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
      .map((words) => words.replace(/\$\{[^{}]*\}/g, '…'))
      .flatMap((words) =>
        wordsOfDialect(words, [...forbidden, ...spoken]).map(
          (instead) => `${file}: ${words} (${instead})`,
        ),
      ),
  )
  expect(wrong).toEqual([])
})

test('so do the documents', () => {
  const wrong = markdownFiles()
    .filter(({ path }) => path !== 'CHANGELOG.md' && path !== 'docs/glossary.md')
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) =>
          wordsOfDialect(line, forbidden).map(
            (instead) => `${path}:${at + 1}: ${line} (${instead})`,
          ),
        ),
    )
  expect(wrong).toEqual([])
})

test('what doctor advises is a sentence, or a command of ours', () => {
  const advice = sources
    .filter(({ file }) => file.startsWith('commands/doctor/'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\bproblem\(/g)].flatMap(({ index }) =>
        lastLiterals(text.slice(index + 'problem'.length)).map((words) => ({ file, words })),
      ),
    )
  expect(advice.length).toBeGreaterThan(30)
  const wrong = advice.filter(
    ({ words }) =>
      !/^hcloud-talos (?:[^,.]|\$\{[^}]*\})+$/.test(words) &&
      words !== '' &&
      !/^[A-Z].*\.$/.test(words),
  )
  expect(wrong).toEqual([])
})

test('the glossary lists each term once, and all of them are in use', () => {
  const names = terms.map(({ term }) => term)
  expect(names.length).toBeGreaterThan(30)
  expect(new Set(names).size).toBe(names.length)
  const text = [
    ...sources.map((source) => source.text),
    ...markdownFiles()
      .filter(({ path }) => path !== 'docs/glossary.md')
      .map((file) => file.text),
  ].join('\n')
  expect(names.filter((name) => !pattern(name).test(text))).toEqual([])
  const replaced = terms.flatMap(({ not }) => not)
  expect(replaced.filter((word) => names.includes(word))).toEqual([])
})

/** The words in a cell, or a sentence, each in backticks. */
function wordsIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
}

function pattern(word: string): RegExp {
  return new RegExp(`\\b${word}\\b(?!-)`, 'i')
}

function wordsOfDialect(
  text: string,
  words: readonly (readonly [word: RegExp, instead: string])[],
): string[] {
  return words.filter(([word]) => word.test(text)).map(([, instead]) => instead)
}

/** The literals of the last argument of a call whose arguments begin here. */
function lastLiterals(call: string): string[] {
  let depth = 0
  let found: string[] = []
  for (const { 0: token, index } of call.matchAll(/(['`])(?:\\.|(?!\1)[^\\])*\1|[()[\]{},]/g)) {
    if ('([{'.includes(token)) depth += 1
    if (')]}'.includes(token)) depth -= 1
    if (depth === 0) break
    if (depth > 1 || token.length === 1) {
      const isNext = depth === 1 && token === ',' && !/^\s*\)/.test(call.slice(index + 1))
      if (isNext) found = []
    } else found = [...found, token.slice(1, -1)]
  }
  return found
}

function hintsOfTables(text: string): RegExpMatchArray[] {
  return [...text.matchAll(hintTable)].flatMap(([, table = '']) => [
    ...table.matchAll(/:\s*(['`"])((?:\\.|(?!\1)[^\\])*)\1/g),
  ])
}
