import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pushEvent } from '../../scripts/runner-event.ts'
import { RunnerJob, type StepResult } from '../../scripts/runner-job.ts'

let folder: string
let step: StepResult

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hcloud-talos-runner-'))
  const probe = fileURLToPath(new URL('./runner-probe.ts', import.meta.url))
  await mkdir(join(folder, 'action'))
  await writeFile(
    join(folder, 'action', 'action.yml'),
    `inputs: { some-input: { default: '  spaces around  ' } }\nruns: { using: node24, main: '${probe}' }\n`,
  )
  const job = new RunnerJob({
    actions: folder,
    folder,
    workspace: folder,
    environment: { PATH: process.env['PATH'] ?? '' },
    event: pushEvent('org/clusters'),
    repository: 'org/clusters',
    runId: 1,
    job: 'probe',
    token: 'token',
    apiUrl: 'http://127.0.0.1:9',
    serverUrl: 'http://127.0.0.1:9',
  })
  step = await job.step('action', {})
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const messages = (name: string) =>
  step.commands.filter((command) => command.name === name).map(({ message }) => message)

describe('the runner', () => {
  test('is told each secret leaf, and no document whose lines it would all hide', () => {
    expect(step.masks).toContain('planted-secret-1')
    expect(step.masks).toContain('k'.repeat(40))
    expect(step.masks.filter((mask) => mask.includes('\n') || mask === 'short')).toEqual([])
  })

  test('never gets a secret in a log, an output or a summary', () => {
    expect([step.log, step.summary, JSON.stringify(step.outputs)].join('\n')).not.toContain(
      'planted-secret-1',
    )
    expect(step.log).toContain('a line with *** in it')
    expect(step.outputs['said']).toBeUndefined()
    expect(messages('warning')).toContain(
      'the output said is not set: it would hold a secret of this run',
    )
    expect(step.outputs['path']).toBe('/tmp/somewhere')
  })

  test('carries values of several lines, and trims inputs', () => {
    expect(step.outputs).toMatchObject({ lines: 'one\ntwo', given: 'spaces around' })
  })

  test('gets findings at their line, with the field and the hint', () => {
    expect(step.commands).toContainEqual({
      name: 'error',
      properties: { title: 'hcloud-talos', file: 'cluster.yaml', line: '3', col: '5' },
      message: 'nodes.workers[0].count: is, after all: *** (repair it)',
    })
    expect(step.commands).toContainEqual({
      name: 'warning',
      properties: { title: 'hcloud-talos', file: 'cluster.yaml' },
      message: 'no place',
    })
    expect(messages('warning')).toContain('one%\ntwo')
  })

  test('gets no annotation without an end', () => {
    const long = messages('warning').filter((message) => message.startsWith('zz'))
    expect(long).toEqual([expect.stringMatching(/zz… \(\d+ more characters\)$/)])
    expect(long[0]?.length).toBeLessThan(40_000)
  })

  test('gets a summary that it does not drop', () => {
    const bytes = Buffer.byteLength(step.summary, 'utf8')
    expect(bytes).toBeLessThan(1_048_576)
    expect(bytes).toBeGreaterThan(900_000)
    expect(step.summary).toContain('Cut here')
  })

  test('is told how it failed: a code with a hint, or a bug with its stack', () => {
    expect(step.exitCode).toBe(1)
    expect(messages('error')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^usage: the input not-there is required; hint: /),
        'state-locked: held by ***; hint: wait',
        expect.stringMatching(/^a bug in hcloud-talos: x is undefined/),
      ]),
    )
    expect(step.log).toMatch(/at .*runner-probe\.ts/)
    expect(step.log).toContain('Please report it')
  })
})
