import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runUntil } from '../../../scripts/check/run-until.ts'

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
