import { expect, test } from 'vitest'
import { standInCharts } from '../../../src/sandbox/charts/serve-charts.ts'
import { standInImages } from '../../../src/sandbox/charts/stand-in-images.ts'

/** What the charts name, read from their templates: `image: reference:v{{ .Chart.Version }}`. */
const named = standInCharts.flatMap(({ templates, versions }) =>
  Object.values(templates).flatMap((template) =>
    [...template.matchAll(/\bimage: (\S+?)(\{\{ \.Chart\.Version \}\})?$/gm)].flatMap(
      ([, reference = '', versioned]) =>
        versioned === undefined ? [reference] : versions.map((version) => reference + version),
    ),
  ),
)

test('each image that a chart names stands once in the list, and no other does', () => {
  const listed = standInImages.flatMap(({ references }) => references)
  expect(listed.toSorted()).toEqual([...new Set(named)].sort())
  expect(named.every((reference) => /:v\d+\.\d+\.\d+$/.test(reference))).toBe(true)
})

test('each command that a chart gives is a program of an image', () => {
  const programs = standInImages.flatMap((image) => image.programs)
  const names = programs.map((path) => path.split('/').pop())
  const commands = standInCharts.flatMap(({ templates }) =>
    Object.values(templates).flatMap((template) =>
      [...template.matchAll(/\bcommand: \[([^,\]]+)\]|\bcommand:\n\s+- (\S+)/g)].map(
        ([, inline, listed]) => inline ?? listed ?? '',
      ),
    ),
  )
  expect(commands.length).toBeGreaterThan(0)
  for (const command of commands) {
    expect(command.startsWith('/') ? programs : names).toContain(command)
  }
})
