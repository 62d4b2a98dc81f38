import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/public-failures.md'), 'utf8')

/** The cells of each row, those of the tables' heads left out. */
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| (where|what|---)/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

const named = rows.flatMap(([where = '', , , tests = '']) =>
  tests
    .split('<br>')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, file = '', title = ''] = /^`(test\/\S+\.test\.ts)` › (.+)$/.exec(entry) ?? []
      return { where, file, title }
    }),
)

/** The titles of a test file, as they stand in its source. */
function titlesOf(file: string): Set<string> {
  const source = readFileSync(join(root, file), 'utf8')
  const calls = source.matchAll(
    /\b(?:test|it)(?:\.\w+\((?:[^()]|\([^()]*\))*\)(?: as const\))?)?\(\s*(['"`])((?:(?!\1).)+)\1/g,
  )
  return new Set([...calls].map(([, , title = '']) => title))
}

test('every row says where, what, and what is done instead', () => {
  for (const cells of rows) {
    expect(cells).toHaveLength(4)
    expect(cells.slice(0, 3).every((cell) => cell !== '')).toBe(true)
  }
})

test('every row is held by a test, or says for when it is', () => {
  const loose = rows.filter(
    ([, , instead = '', tests]) => tests === '' && !/^later: /.test(instead),
  )
  expect(loose.map(([where]) => where)).toEqual([])
})

test('every test that is named is there', () => {
  const missing = named.filter(
    ({ file, title }) => file === '' || !existsSync(join(root, file)) || !titlesOf(file).has(title),
  )
  expect(missing).toEqual([])
})
