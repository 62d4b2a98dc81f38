import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import {
  endJobScript,
  removeJobScript,
  runJobScript,
  showJobScript,
  startJobScript,
} from '../../../src/ssh/job-scripts.ts'
import { readFileScript } from '../../../src/ssh/read-file.ts'
import { receiverCommand } from '../../../src/ssh/script-receiver.ts'
import { writeFileScript } from '../../../src/ssh/write-file.ts'

const scripts: Record<string, string> = {
  endJobScript,
  readFileScript,
  removeJobScript,
  runJobScript,
  showJobScript,
  startJobScript,
  writeFileScript,
}

describe.each(Object.entries(scripts))('%s', (_, script) => {
  test('is what bash reads', () => {
    expect(spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr).toBe('')
  })

  test('has nothing that shellcheck minds', () => {
    // What is asked for by name only in one of several scripts, and the script that a job brings.
    const args = ['--shell=bash', '--exclude=SC1090,SC1091,SC2034', '-']
    expect(spawnSync('shellcheck', args, { input: script, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: '',
    })
  })
})

test('every login shell takes the command that receives scripts as it is', () => {
  for (const sudo of [undefined, {}, { password: 'secret' }]) {
    const command = receiverCommand(sudo)
    expect(command).not.toMatch(/[!\\\n]|secret/)
    expect(command.match(/'/g)).toHaveLength(2)
    for (const shell of ['bash', 'dash']) {
      expect(spawnSync(shell, ['-n', '-c', command], { encoding: 'utf8' }).stderr).toBe('')
    }
  }
})
