import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type DrillName, drills, lossWords } from '../drills/drill-table.ts'
import { commandBlocks, shells } from './command-blocks.ts'
import { fencedBlocks, markdownFiles } from './markdown-files.ts'

const root = resolve(import.meta.dirname, '../..')
const blocks = commandBlocks()
const place = ({ file, line }: { file: string; line: number }) => `${file}:${line}`
const isDrill = (name: string): name is DrillName => Object.hasOwn(drills, name)

test('every block says what it is, and none that is shown holds commands to type', () => {
  const shown = markdownFiles().flatMap(fencedBlocks)
  const known = ['text', 'yaml', ...shells]
  expect(shown.filter(({ language }) => !known.includes(language)).map(place)).toEqual([])
  const typed = /^\s*(?:\$ |(?:hcloud-talos|kubectl|git|npm|sops|age) )/m
  const texts = shown.filter(({ language }) => language === 'text')
  expect(texts.filter(({ text }) => typed.test(text)).map(place)).toEqual([])
})

test('every block of commands is a drill, is run by a test, or says why it is not run', () => {
  expect(blocks.filter(({ fate }) => fate.kind === 'unmarked').map(place)).toEqual([])
})

test('the drills of the pages are those of the table, each once', () => {
  const named = blocks.flatMap(({ fate }) => (fate.kind === 'drill' ? [fate.name] : []))
  expect(named.sort()).toEqual(Object.keys(drills).sort())
})

test('each drill says on its page how long it takes and what it loses', () => {
  const silent = blocks.filter(({ fate, section }) => {
    if (fate.kind !== 'drill' || !isDrill(fate.name)) return false
    const [, costs = ''] = /^Costs: (.+)$/m.exec(section) ?? []
    return !/second|minute/.test(costs) || !lossWords[drills[fate.name]].test(costs)
  })
  expect(silent.map(place)).toEqual([])
})

test('a test that runs a block reads its page', () => {
  const strangers = blocks.filter(({ file, fate }) => {
    if (fate.kind !== 'run-by') return false
    const path = join(root, fate.file)
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(file)
  })
  expect(strangers.map(place)).toEqual([])
})
