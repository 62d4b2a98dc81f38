/** Time as a parameter. Instants and lengths are in milliseconds; instants count from the Unix epoch. */
export interface Clock {
  now(): number
  /** Resolves after `milliseconds`; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/**
 * A clock that runs `speed` times as fast as the wall. 1 is the real one; the sandbox uses more, so
 * that realistic latencies can be waited for in seconds.
 */
export function createClock(speed = 1): Clock {
  const start = Date.now()
  return {
    now: () => start + (Date.now() - start) * speed,
    sleep: (milliseconds, signal) => sleep(milliseconds / speed, signal),
  }
}

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
