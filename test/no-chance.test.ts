import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = import.meta.dirname
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('no-chance'))
  .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))

const filesWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

test('no test throws dice: what is made up comes from a seed, what must be new from the system', () => {
  expect(filesWith(/Math\.random/)).toEqual([])
})

test('no test or hook has a time limit of its own: a busy machine takes many times as long', () => {
  const real = /^(?:real|contract|peers)\//
  const limited = filesWith(/^\s*\}, [\d_]+\)/m).filter((file) => !real.test(file))
  expect(limited).toEqual([])
})

test('nothing is broken by a character that may be what it was', () => {
  // Of 32 identities one ends in any given character.
  expect(filesWith(/generate\w*Identity\(\)\)\.slice\(/)).toEqual([])
})
