import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completionScript } from '../../src/cli/commands/shell/completion-script.ts'
import { createProgram } from '../../src/cli/whole-program.ts'

const program = createProgram(async () => undefined)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'completion-'))
  await writeFile(join(folder, 'script.bash'), completionScript(program, 'bash'))
  await writeFile(join(folder, 'shop.yaml'), '')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What a real bash offers behind these words, the last of which is being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const line = ['hcloud-talos', ...words]
  const script = `
    source script.bash
    COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')})
    COMP_CWORD=${line.length - 1}
    complete -p hcloud-talos >&2 && _hcloud_talos
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], { cwd: folder })
  return stdout.split('\n').filter(Boolean)
}

describe('In bash', () => {
  it('the subcommands are offered, all or those that begin so', async () => {
    expect(await offered('')).toEqual([
      ...program.commands.map((command) => command.name()),
      '--help',
      '--version',
    ])
    expect(await offered('d')).toEqual(['destroy', 'doctor'])
  })

  it('what is below a command is offered behind it, and has options of its own', async () => {
    expect(await offered('talos', 'et')).toEqual(['etcd'])
    expect(await offered('talos', 'etcd', 'al')).toEqual(['alarm'])
    expect(await offered('talos', 'etcd', 'alarm', '')).toEqual(['list', 'disarm', '--help'])
    expect(await offered('talos', 'logs', '--fol')).toEqual(['--follow'])
    expect(await offered('talos', 'get', 'members', '--output', '')).toEqual([
      'table',
      'json',
      'yaml',
    ])
  })

  it.each(program.commands.map((command) => [command.name(), command] as const))(
    'the options of %s are those of the program',
    async (name, command) => {
      const options = command.options.map(({ long }) => long)
      expect(await offered(name, '--')).toEqual([...options, '--help'])
    },
  )

  it.each([
    { words: ['completion', ''], expected: ['bash', 'zsh', 'fish', '--help'] },
    { words: ['talosconfig', '--role', ''], expected: ['os:admin', 'os:operator', 'os:reader'] },
    { words: ['apply', '--stage', 'a'], expected: ['addons'] },
    { words: ['plan', '-c', 'sh'], expected: ['shop.yaml'] },
    { words: ['kubeconfig', '--hours', ''], expected: [] },
  ])('behind $words stands what can stand there', async ({ words, expected }) => {
    expect(await offered(...words)).toEqual(expected)
  })
})

describe('For the other shells', () => {
  it('zsh takes the script for bash, with what that needs', () => {
    const script = completionScript(program, 'zsh')
    expect(script).toContain('bashcompinit')
    expect(script).toContain(completionScript(program, 'bash'))
  })

  it('fish knows each option of each subcommand', () => {
    const script = completionScript(program, 'fish')
    for (const command of program.commands) {
      for (const { long } of command.options) {
        const line = new RegExp(`seen_subcommand_from ${command.name()}' .*-l ${long?.slice(2)} `)
        expect(script).toMatch(line)
      }
    }
  })
})
