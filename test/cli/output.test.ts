import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { githubCommands } from '../github/read-commands.ts'
import { runCommand } from './command-bench.ts'

const root = resolve(import.meta.dirname, '../..')
const program = resolve(root, 'scripts/hcloud-talos.ts')
const env = { PATH: process.env['PATH'] }

describe('Standard output', () => {
  it('that has no room is a failure of its own', async () => {
    const child = spawn(process.execPath, [program, 'completion', 'bash'], {
      env,
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    })
    let output = ''
    child.stderr?.on('data', (text) => {
      output += text
    })
    const [code] = await once(child, 'close')
    expect(code, output).toBe(81)
    expect(output).toMatch(
      /^error disk-full: there is no room on the disk\n {2}while: write standard output\n/,
    )
  })

  it('whose reader has gone is none', async () => {
    const child = spawn(process.execPath, [program, 'completion', 'bash'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout?.destroy()
    let output = ''
    child.stderr?.on('data', (text) => {
      output += text
    })
    const [code] = await once(child, 'close')
    expect({ code, output }).toEqual({ code: 0, output: '' })
  })
})

describe('A command line of somebody else', () => {
  it('is no line and no command of its own where it is wrong', async () => {
    const word = 'x\nerror ok: forged\u001b[2J\n##[add-mask]plan'
    for (const args of [[word], ['plan', `--${word}`], ['apply', '--stage', word]]) {
      const ended = await runCommand(args, { env: { ...env, GITHUB_ACTIONS: 'true' }, program })
      expect(ended.code).toBe(3)
      const [first, ...others] = ended.stderr.split('\n')
      expect(first).toMatch(/^error usage: /)
      expect(others).toEqual(['(add --help for the options)', ''])
      expect(githubCommands(ended.stderr)).toEqual([])
      expect(ended.stderr).not.toMatch(/(?!\n)\p{Cc}/u)
    }
  })
})

describe('The bundle', () => {
  const bundle = resolve(root, 'dist/cli.cjs')

  it.each([
    { args: ['--version'], code: 0, mentions: /^\d+\.\d+\.\d+/ },
    { args: ['plan', '--help'], code: 0, mentions: /Usage: hcloud-talos plan/ },
    { args: ['completion', 'bash'], code: 0, mentions: /complete -F/ },
    { args: ['aply'], code: 3, mentions: /Did you mean apply\?/ },
    { args: ['plan', '--config', 'nowhere.yaml'], code: 11, mentions: /^error spec-not-found: /m },
  ])('answers $args like the sources', async ({ args, code, mentions }) => {
    const ended = await runCommand(args, { env, program: bundle })
    expect(ended.code, ended.stderr).toBe(code)
    expect(`${ended.stdout}${ended.stderr}`).toMatch(mentions)
  })
})
