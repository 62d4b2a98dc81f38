import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { countResults } from '../../../scripts/check/test-results.ts'
import { pollLimitMs } from '../../hang-limit.ts'

const root = resolve(import.meta.dirname, '../../..')

describe('the count of a run of vitest', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'test-results-'))
    await writeFile(join(folder, 'results'), '')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('has each test, and what failed outside of one', async () => {
    await write('some.test.js', [
      "it('holds', () => {})",
      "it('does not hold', () => { throw new Error('one\\ntwo') })",
      "it.skip('needs a token', () => {})",
      "it('leaves a promise', () => { setTimeout(() => { Promise.reject(new Error('uncaught')) }) ; return new Promise((done) => { setTimeout(done, 100) }) })",
      "describe('a group', () => { it('holds too', () => {}); afterAll(() => { throw new Error('left open') }) })",
    ])
    await write('broken.test.js', ["throw new Error('does not load')"])
    await write('empty.test.js', [''])
    await once(runTests(), 'exit')
    expect(await count()).toEqual({
      passed: 3,
      failed: 5,
      skipped: 1,
      failures: expect.arrayContaining([
        'some.test.js: does not hold: one',
        'some.test.js: a group: left open',
        'broken.test.js: the file: does not load',
        'outside of the tests: uncaught',
        expect.stringMatching(/^empty\.test\.js: the file: No test suite found/),
      ]),
    })
  })

  it('has what was judged until the run was ended', async () => {
    await write('some.test.js', [
      "it('holds', () => {})",
      "it('does not hold', () => { throw new Error('one') })",
      "it('never ends', () => new Promise(() => { setInterval(() => {}, 1000) }))",
    ])
    const run = runTests()
    await vi.waitFor(async () => expect((await count()).failed).toBe(1), { timeout: pollLimitMs })
    run.kill('SIGKILL')
    await once(run, 'exit')
    const failures = ['some.test.js: does not hold: one']
    expect(await count()).toEqual({ passed: 1, failed: 1, skipped: 0, failures })
  })

  it('does not have a line that was cut off', () => {
    const line = JSON.stringify({ file: 'a', test: 'b', state: 'failed', message: '' })
    expect(countResults(`${line}\n${line.slice(0, 12)}`)).toMatchObject({ passed: 0, failed: 1 })
  })

  function write(name: string, lines: readonly string[]): Promise<void> {
    return writeFile(join(folder, name), lines.join('\n'))
  }

  function runTests() {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const reporter = join(root, 'scripts/check/result-reporter.ts')
    const args = ['run', '--globals', '--no-file-parallelism', '--reporter', reporter]
    return spawn(process.execPath, [vitest, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], TEST_RESULTS: join(folder, 'results') },
      stdio: 'ignore',
    })
  }

  async function count() {
    return countResults(await readFile(join(folder, 'results'), 'utf8'))
  }
})
