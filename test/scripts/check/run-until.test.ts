import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runUntil } from '../../../scripts/check/run-until.ts'
import { pollLimitMs } from '../../hang-limit.ts'

describe('a program that has a limit', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'run-until-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('ends with its own code where it keeps to it, or has none', async () => {
    expect(await shell('exit 3', 60_000)).toEqual({ code: 3 })
    expect(await shell('exit 0', undefined)).toEqual({ code: 0 })
  })

  it('that was ended by somebody else has failed', async () => {
    expect(await shell('kill -KILL $$', 60_000)).toEqual({ code: 1 })
  })

  it('is ended after it, with everything that it started', async () => {
    const sleeping = 'sleep 600 & echo $! > pid; wait'
    expect(await shell(sleeping, 2_000)).toBe('ended for time')
    await expect(isRunning()).resolves.toBe(false)
  })

  it('has time to put away what it started', async () => {
    const tidy = 'sleep 600 & echo $! > pid; trap "sleep 1; echo gone > put-away; exit" TERM; wait'
    expect(await shell(tidy, 2_000)).toBe('ended for time')
    expect(await readFile(join(folder, 'put-away'), 'utf8')).toBe('gone\n')
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'is ended by %s with whoever runs it, and nothing is run after it',
    async (signal) => {
      const module = resolve(import.meta.dirname, '../../../scripts/check/run-until.ts')
      const two = [
        `import { runUntil } from ${JSON.stringify(module)}`,
        "await runUntil(['bash', '-c', 'sleep 600 & echo $! > pid; wait'], undefined, {})",
        "await runUntil(['bash', '-c', 'echo > next'], undefined, {})",
      ]
      await writeFile(join(folder, 'two.mjs'), two.join('\n'))
      const runner = spawn(process.execPath, ['two.mjs'], { cwd: folder, stdio: 'ignore' })
      const isStarted = async () => /\d/.test(await readFile(join(folder, 'pid'), 'utf8'))
      await vi.waitFor(async () => expect(await isStarted()).toBe(true), { timeout: pollLimitMs })
      runner.kill(signal)
      expect(await once(runner, 'exit')).toEqual([null, signal])
      await vi.waitFor(async () => expect(await isRunning()).toBe(false), { timeout: pollLimitMs })
      expect(existsSync(join(folder, 'next'))).toBe(false)
    },
  )

  function shell(script: string, limitMs: number | undefined) {
    return runUntil(['bash', '-c', script], limitMs, { cwd: folder })
  }

  /** A process that has ended and waits for its parent to notice does not run. */
  async function isRunning(): Promise<boolean> {
    const pid = (await readFile(join(folder, 'pid'), 'utf8')).trim()
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State: X')
    return !/^State:\s+[ZX]/m.test(status)
  }
})
