import { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import type { Clock } from '../../src/lib/clock.ts'

/** How far the clock moves at a beat, and how long a beat lasts on the wall, both in milliseconds. */
const tickMs = 500
const wallMs = 2

/**
 * How long a program that this process started counts as its work, in milliseconds on the wall: git takes a few, and
 * a second on a machine under load. One that runs longer is waiting, perhaps for this very clock.
 */
const workMs = 5_000

/**
 * The process is busy when less than half of the time since the clock was asked last was idle. One that never is idle
 * lets a beat fall after so many questions.
 */
const busyShare = 0.5
const mostBusy = 20

/** When each program that has not ended was started, on the wall. */
const programs = new Map<ChildProcess, number>()

subscribe('child_process', (message) => {
  const program = typeof message === 'object' && message && 'process' in message && message.process
  if (!(program instanceof ChildProcess)) throw new Error('node announces programs otherwise')
  programs.set(program, performance.now())
  program.once('exit', () => programs.delete(program))
  program.once('error', () => programs.delete(program))
})

function isAtWork(): boolean {
  const now = performance.now()
  return [...programs.values()].some((startedAt) => now - startedAt < workMs)
}

interface Sleeper {
  readonly until: number
  wake(): void
}

/**
 * A clock that hurries through waits and leaves real work all the time that it needs. It moves by
 * beats: while this process is busy, or a program that it has just started is, no beat falls, so a
 * machine under load makes a run slower and lets no deadline pass. It begins at the wall's time.
 */
export function createPatientClock(): Clock {
  const sleepers = new Set<Sleeper>()
  let now = Date.now()
  let isTicking = false
  let askedAt = performance.eventLoopUtilization()
  let busy = 0

  function isBusy(): boolean {
    const { utilization } = performance.eventLoopUtilization(askedAt)
    askedAt = performance.eventLoopUtilization()
    busy = utilization > busyShare && busy < mostBusy ? busy + 1 : 0
    return busy > 0
  }

  // Through the pool of threads: what encrypts and reads files there gets as much of the machine as the clock.
  const next = () => void setTimeout(() => randomBytes(1, tick), wallMs)

  const tick = () => {
    if (isAtWork() || isBusy()) return next()
    now += tickMs
    for (const sleeper of [...sleepers]) {
      if (sleeper.until > now) continue
      sleepers.delete(sleeper)
      sleeper.wake()
    }
    isTicking = sleepers.size > 0
    if (isTicking) next()
  }

  return {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const onAbort = () => {
          sleepers.delete(sleeper)
          reject(signal?.reason)
        }
        const sleeper = {
          until: now + milliseconds,
          wake() {
            signal?.removeEventListener('abort', onAbort)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', onAbort, { once: true })
        if (!isTicking) next()
        isTicking = true
      }),
  }
}
