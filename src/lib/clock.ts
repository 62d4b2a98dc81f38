/** Time as a parameter. Instants and lengths are in milliseconds; instants count from the Unix epoch. */
export interface Clock {
  now(): number
  /** Resolves after `milliseconds`; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** What a machine knows of time: its calendar, which people and NTP set, and what has passed, which nobody sets. */
export interface TimeSources {
  readonly calendar: () => number
  readonly elapsed: () => number
}

const system: TimeSources = { calendar: Date.now, elapsed: () => performance.now() }

/**
 * A clock for waiting, which runs `speed` times as fast as the wall. It begins at the calendar's time and counts
 * what passes from then on: setting the machine's clock does not move it. 1 is the real one; the sandbox uses
 * more, so that realistic latencies can be waited for in seconds.
 */
export function createClock(speed = 1, { calendar, elapsed }: TimeSources = system): Clock {
  const start = calendar()
  const origin = elapsed()
  return {
    now: () => Math.floor(start + (elapsed() - origin) * speed),
    sleep: (milliseconds, signal) => sleep(milliseconds / speed, signal),
  }
}

/** The time of the machine's calendar, as it is set at the moment. */
export const systemCalendar: Clock = { now: system.calendar, sleep }

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
