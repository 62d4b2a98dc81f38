import type { Clock } from '../../src/lib/clock.ts'

/** How far the clock moves at a beat, and how long a beat lasts on the wall, both in milliseconds. */
const beatMs = 500
const wallMs = 2

interface Sleeper {
  readonly until: number
  wake(): void
}

/**
 * A clock that hurries through waits and leaves real work all the time that it needs. It moves by
 * beats: while this process is busy no beat falls, so a machine under load makes a run slower and
 * never lets a deadline pass. It begins at the wall's time.
 */
export function createPatientClock(): Clock {
  const sleepers = new Set<Sleeper>()
  let now = Date.now()
  let isBeating = false

  const beat = () => {
    now += beatMs
    for (const sleeper of [...sleepers]) {
      if (sleeper.until > now) continue
      sleepers.delete(sleeper)
      sleeper.wake()
    }
    isBeating = sleepers.size > 0
    if (isBeating) setTimeout(beat, wallMs)
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
        if (!isBeating) setTimeout(beat, wallMs)
        isBeating = true
      }),
  }
}
