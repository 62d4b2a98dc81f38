import { spawn } from 'node:child_process'
import { pbkdf2 } from 'node:crypto'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createPatientClock } from './patient-clock.ts'

it('a clock that hurries stands still while a program works, and goes on when it has ended', async () => {
  const clock = createPatientClock()
  const start = clock.now()
  const program = spawn('sleep', ['1'])
  const slept = clock.sleep(60_000)
  await once(program, 'exit')
  expect(clock.now() - start).toBeLessThan(5_000)
  await slept
  expect(clock.now() - start).toBeGreaterThanOrEqual(60_000)
})

it('does not wait for one that waits for it', async () => {
  const clock = createPatientClock()
  const program = spawn('sleep', ['600'])
  await clock.sleep(60_000)
  expect(program.exitCode).toBeNull()
  program.kill()
})

/** How far a clock moves, in milliseconds, while something sleeps on it and this is at work. */
async function movedDuring(work: () => Promise<unknown>): Promise<number> {
  const clock = createPatientClock()
  const end = new AbortController()
  const asleep = clock.sleep(3_600_000_000, end.signal).catch(() => undefined)
  const start = clock.now()
  await work()
  const moved = clock.now() - start
  end.abort()
  await asleep
  return moved
}

it('it hardly moves while the process is busy, however often it turns to other things between', async () => {
  const moved = await movedDuring(async () => {
    const began = performance.now()
    while (performance.now() - began < 1_000) {
      const turn = performance.now()
      while (performance.now() - turn < 1);
      await setImmediate()
    }
  })
  expect(moved).toBeLessThan(20_000)
})

it('it stands still while jobs wait for a thread of the pool', async () => {
  const hash = promisify(pbkdf2)
  const begin = () => Array.from({ length: 16 }, () => hash('a', 'b', 100_000, 64, 'sha512'))
  let jobs: Promise<unknown>[] = []
  const moved = await movedDuring(() => {
    jobs = begin()
    // Of 16 on four threads, others still wait when this one has ended.
    return jobs[7] ?? Promise.resolve()
  })
  await Promise.all(jobs)
  expect(moved).toBeLessThan(5_000)
})
