import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { confirmChange } from '../../src/cli/confirm-change.ts'
import type { Terminal } from '../../src/cli/terminal/terminal.ts'
import { createProgram } from '../../src/cli/whole-program.ts'
import { silentProgress } from '../silent-progress.ts'

/** Subcommands that change nothing but files of this folder; every other one must be told not to ask. */
const looking = [
  'init',
  'plan',
  'status',
  'kubeconfig',
  'talosconfig',
  'config',
  'snapshot',
  'verify',
  'signer',
  'doctor',
  'export',
  'sandbox',
  'completion',
  'secret list',
  // Its value comes through standard input: there is nobody to be asked.
  'secret set',
]
/** They show first what they would do, and want a name typed out: their own tests hold that. */
const naming = ['destroy', 'restore', 'repair']
const lookingAtNodes = [
  'version',
  'services',
  'logs',
  'dmesg',
  'events',
  'get',
  'health',
  'etcd members',
  'etcd status',
  'etcd snapshot',
  'etcd alarm list',
  'read',
  'copy',
  'list',
  'usage',
  'netstat',
  'pcap',
  'support',
  'containers',
  'stats',
  'processes',
  'memory',
  'mounts',
  'image list',
  'cgroups',
  // It only fills a cache of the node.
  'image pull',
].map((verb) => `talos ${verb}`)

interface Sitting {
  readonly questions: Terminal['questions']
  readonly answer?: string
}

/** The program at a terminal; returns what ran and what was asked. */
function sit({ questions, answer = '' }: Sitting) {
  const [ran, asked]: [string[], string[]] = [[], []]
  const terminal: Terminal = {
    progress: silentProgress,
    questions,
    paint: (_, text) => text,
    print: () => undefined,
    printBytes: () => undefined,
    report: () => undefined,
    ask: async (question) => {
      asked.push(question)
      return answer
    },
  }
  const program = createProgram(
    async ({ name }) => {
      ran.push(name)
    },
    (command) => confirmChange(terminal, command),
  )
  const run = (line: string) => program.parseAsync(['node', 'hcloud-talos', ...line.split(' ')])
  return { program, run, ran, asked }
}

/** Every command that can be typed, with the words and options that it cannot do without. */
function lines(command: Command, words: readonly string[] = []): string[] {
  const below = command.commands.flatMap((child) => lines(child, [...words, child.name()]))
  if (below.length > 0 && command.registeredArguments.length === 0) return below
  const needed = command.options
    .filter(({ mandatory, defaultValue }) => mandatory && defaultValue === undefined)
    .map(({ long }) => `${long} x`)
  const typed = command.registeredArguments.map(({ argChoices }) => argChoices?.[0] ?? 'x')
  return [[...words, ...typed, ...needed].join(' '), ...below]
}

const all = lines(sit({ questions: 'nobody' }).program)
const looks = (line: string) =>
  [...looking, ...naming, ...lookingAtNodes].some(
    (name) => line === name || line.startsWith(`${name} `),
  )
const changing = all.filter((line) => !looks(line))

describe('where standard input is no terminal', () => {
  it.each(changing)('"%s" changes nothing without having been told', async (line) => {
    const { run, ran } = sit({ questions: 'nobody', answer: 'yes' })
    await expect(run(line)).rejects.toMatchObject({
      code: 'not-confirmed',
      hint: expect.stringContaining('--yes'),
    })
    expect(ran).toEqual([])
    await run(`${line} --yes`)
    expect(ran).toHaveLength(1)
  })

  it.each(all.filter(looks))('"%s" needs not be told here', async (line) => {
    const { run, ran } = sit({ questions: 'nobody' })
    await run(line)
    expect(ran).toHaveLength(1)
  })

  it('what only shows needs not be told either', async () => {
    const { run, ran } = sit({ questions: 'nobody' })
    for (const line of [
      'apply --dry-run',
      'upgrade --dry-run',
      'destroy --dry-run',
      'rotate --prepare',
    ]) {
      await run(line)
    }
    expect(ran).toEqual(['apply', 'upgrade', 'destroy', 'rotate'])
  })
})

describe('where a person sits', () => {
  it.each(['rotate', 'compact', 'import --from x', 'recover', 'unlock', 'build-image'])(
    '"%s" is asked about, and only "yes" does it',
    async (line) => {
      for (const answer of ['', 'y', 'no', 'YES']) {
        const { run, ran, asked } = sit({ questions: 'person', answer })
        await expect(run(line)).rejects.toMatchObject({ code: 'not-confirmed' })
        expect([ran, asked.length]).toEqual([[], 1])
      }
      const { run, ran } = sit({ questions: 'person', answer: 'yes' })
      await run(line)
      expect(ran).toHaveLength(1)
    },
  )

  it('a command that shows first what it would do asks by itself, and once', async () => {
    for (const line of ['apply', 'upgrade', 'revoke', 'talos reboot']) {
      const { run, ran, asked } = sit({ questions: 'person' })
      await run(line)
      expect([ran.length, asked]).toEqual([1, []])
    }
  })
})
