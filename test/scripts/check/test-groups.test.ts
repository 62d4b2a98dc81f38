import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { testGroups } from '../../../scripts/check/test-groups.ts'
import { wholeLives } from '../../e2e/vitest.config.ts'

const root = resolve(import.meta.dirname, '../../..')

it('every test file of npm test is of one group, and every entry of a group has one', () => {
  const elsewhere = new Set(globSync([...wholeLives], { cwd: root }))
  const files = globSync('test/**/*.test.ts', { cwd: root }).filter(
    (file) => !/^test\/(peers|real)\//.test(file) && !elsewhere.has(file),
  )
  const entries = testGroups.flatMap(({ of }) => of.map((entry) => join('test', entry)))
  const entriesOf = (file: string) => entries.filter((entry) => file.includes(entry))
  expect(files.filter((file) => entriesOf(file).length !== 1)).toEqual([])
  expect(entries.filter((entry) => !files.some((file) => file.includes(entry)))).toEqual([])
})
