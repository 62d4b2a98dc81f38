import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programOf } from '../../src/cli/program.ts'
import { tableFor } from '../../src/cli/table-for.ts'
import { createProgram } from '../../src/cli/whole-program.ts'
import { wholeTable } from '../../src/cli/whole-table.ts'

/** A program that only remembers what it was asked to do. */
function recordingProgram() {
  const calls: { readonly command: string; readonly options: unknown }[] = []
  const program = createProgram(async ({ name: command }, typed) => {
    calls.push({ command, options: { ...typed.opts() } })
  }).exitOverride()
  for (const command of program.commands) command.exitOverride()
  return { program, calls }
}

const { program } = recordingProgram()
const names = program.commands.map((command) => command.name())

it('has the commands that the README lists', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const [, listed = ''] = /`hcloud-talos (init \|[^`]+)`/.exec(readme) ?? []
  expect(listed.split(' | ').sort()).toEqual([...names].sort())
})

/** All that `--help` prints, examples included. */
function helpOf(name: string): string {
  const { program: fresh } = recordingProgram()
  let text = ''
  const command = fresh.commands.find((candidate) => candidate.name() === name) ?? fresh
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 })
  command.outputHelp()
  return text
}

describe('The help', () => {
  it.each(['', ...names])('of "%s" fits 80 columns', (name) => {
    const wide = helpOf(name)
      .split('\n')
      .filter((line) => line.length > 80)
    expect(wide).toEqual([])
  })

  it.each(names)('of "%s" has examples that the program takes', async (name) => {
    const examples = wholeTable
      .filter((entry) => entry.name.split(' ')[0] === name)
      .flatMap((entry) => entry.examples)
    expect(examples.length).toBeGreaterThan(0)
    for (const { line } of examples) {
      expect(helpOf(name)).toContain(`hcloud-talos ${name} ${line}`.trim())
      const words = line.split(/ [>|]/)[0]?.split(' ').filter(Boolean) ?? []
      const { program: fresh, calls } = recordingProgram()
      await fresh.parseAsync(['node', 'hcloud-talos', name, ...words])
      expect(calls).toHaveLength(1)
      expect(calls[0]?.command.split(' ')[0]).toBe(name)
    }
  })

  it('names every exit code that is not in the documents, and where the others are', () => {
    expect(helpOf('')).toMatch(/Exit codes: 0 .*\b1 .*\b2 .*\b3 .*\b130 .*troubleshooting\.md/s)
  })
})

describe('What a command is given', () => {
  it.each(['snapshot list backups/ -c a.yaml --json', 'snapshot -c a.yaml --json list backups/'])(
    'is the same wherever an option stands: %s',
    async (line) => {
      const { program: fresh, calls } = recordingProgram()
      await fresh.parseAsync(['node', 'hcloud-talos', ...line.split(' ')])
      const options = { config: 'a.yaml', json: true, at: 'backups/' }
      expect(calls).toEqual([
        { command: 'snapshot list', options: expect.objectContaining(options) },
      ])
    },
  )

  it('has every flag that it knows, given or not', async () => {
    const { program: fresh, calls } = recordingProgram()
    await fresh.parseAsync(['node', 'hcloud-talos', 'apply', '-c', 'a.yaml', '--dry-run'])
    expect(calls[0]?.options).toMatchObject({
      config: 'a.yaml',
      dryRun: true,
      yes: false,
      json: false,
    })
  })
})

describe('The start', () => {
  it.each([
    { words: ['--help'], verbs: false },
    { words: ['apply', '--stage', 'infra'], verbs: false },
    { words: ['talos', 'services'], verbs: true },
    { words: ['help', 'talos'], verbs: true },
    { words: ['completion', 'bash'], verbs: true },
  ])('knows the verbs of talos for $words: $verbs', async ({ words, verbs }) => {
    const table = await tableFor(words)
    expect(table.some(({ name }) => name === 'talos services')).toBe(verbs)
    expect(programOf(table, async () => undefined).helpInformation()).toBe(
      createProgram(async () => undefined).helpInformation(),
    )
  })
})
