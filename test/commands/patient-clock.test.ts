import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
