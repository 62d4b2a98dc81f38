import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runSteps } from '../../../scripts/check/run-steps.ts'
import type { Step } from '../../../scripts/check/steps.ts'
import { type TimeLimit, timeLimit } from '../../../scripts/check/time-limit.ts'

const passed = result('passed')
const failed = result('failed')

describe('the steps of a check', () => {
  let root: string
  let log: string[]
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'run-steps-'))
    log = []
  })
  afterEach(() => rm(root, { recursive: true }))

  it('all run, even after one that failed, and are added up', async () => {
    const sum = await run([
      step('types', 'exit 2'),
      tests(
        'domains',
        `echo '${passed}' >> $TEST_RESULTS; echo '${failed}' >> $TEST_RESULTS; exit 1`,
      ),
      step('size', 'true'),
    ])
    expect(sum).toEqual({
      passed: 2,
      failed: 2,
      skipped: 0,
      failures: [
        'types: exit code 2',
        'domains: exit code 1',
        'domains: a.test.ts: adds: 3 is not 4',
      ],
      notRun: [],
    })
  })

  it('fail where tests end well and none has run', async () => {
    const sum = await run([tests('peers', 'true')])
    expect(sum).toMatchObject({
      passed: 0,
      failed: 1,
      failures: ['peers: no test has left a result'],
    })
  })

  it('fail where what a step generates is not what was there', async () => {
    await writeFile(join(root, 'generated'), 'of before')
    const generates = {
      ...step('docs', 'echo new > generated; echo > added'),
      unchanged: ['generated', 'added'],
    }
    const sum = await run([generates])
    expect(sum).toMatchObject({
      passed: 1,
      failed: 1,
      failures: ['docs: generated was not up to date', 'docs: added was not up to date'],
    })
    expect(await run([{ ...generates, command: ['true'] }])).toMatchObject({ passed: 1, failed: 0 })
  })

  it('that are late count what they had judged before they were ended', async () => {
    const late = tests(
      'commands',
      `trap "echo '${escaped(failed)}' >> $TEST_RESULTS; exit 1" TERM; echo '${passed}' >> $TEST_RESULTS; sleep 600 & wait`,
    )
    const sum = await run([late], endsAfter(2_000))
    expect(await readFile(join(root, 'results', '0.jsonl'), 'utf8')).toContain('3 is not 4')
    expect(sum).toMatchObject({ passed: 1, failed: 0, skipped: 1, failures: [] })
    expect(sum.notRun).toEqual([
      'commands: ended for time after 0 minutes; what it had judged counts',
    ])
  })

  it('that are late and are no tests have not passed', async () => {
    const sum = await run([step('mutations', 'sleep 600', 'cut off')], endsAfter(500))
    expect(sum).toMatchObject({ passed: 0, failed: 0, skipped: 1 })
  })

  it('that must run do, without a limit, where those that may be left out do not begin', async () => {
    const slow = timeLimit(60, () => 59)
    const sum = await run(
      [
        step('types', 'echo > types'),
        step('quickstart', 'echo > quickstart', 'leave out'),
        tests('commands', 'echo > commands', 'cut off'),
      ],
      slow,
    )
    expect(sum).toMatchObject({ passed: 1, failed: 0, skipped: 2 })
    expect(sum.notRun.map((line) => line.split(':')[0])).toEqual(['quickstart', 'commands'])
    await expect(readFile(join(root, 'types'))).resolves.toBeDefined()
    await expect(readFile(join(root, 'quickstart'))).rejects.toThrow('ENOENT')
    await expect(readFile(join(root, 'commands'))).rejects.toThrow('ENOENT')
  })

  it('tell the limit how long they took, unless they were ended', async () => {
    const recorded: number[] = []
    const limit = { ...endsAfter(1_000), record: (idle: number) => recorded.push(idle) }
    await run([step('types', 'true'), step('mutations', 'sleep 600', 'cut off')], limit)
    expect(recorded).toEqual([1])
  })

  function run(steps: readonly Step[], limit: TimeLimit = timeLimit(undefined, () => 0)) {
    return runSteps(steps, {
      root,
      results: join(root, 'results'),
      limit,
      log: (line) => log.push(line),
    })
  }
})

function step(title: string, script: string, ifLate: Step['ifLate'] = 'must run'): Step {
  return { part: 'static', title, command: ['bash', '-c', script], minutes: 1, ifLate }
}

function tests(title: string, script: string, ifLate: Step['ifLate'] = 'cut off'): Step {
  return { ...step(title, script, ifLate), hasResults: true }
}

/** A machine that is fast enough, with little time left. */
function endsAfter(milliseconds: number): TimeLimit {
  return { ...timeLimit(60, () => 0), left: () => milliseconds / 60_000 }
}

function result(state: 'passed' | 'failed'): string {
  const message = state === 'failed' ? '3 is not 4' : ''
  return JSON.stringify({ file: 'a.test.ts', test: 'adds', state, message })
}

/** Inside of double quotes of a shell. */
function escaped(text: string): string {
  return text.replaceAll('"', '\\"')
}
