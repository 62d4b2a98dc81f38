/** Runs what it is given, at most `concurrency` at once, in the order in which it was asked. */
export type Limit = <T>(run: () => Promise<T>) => Promise<T>

export function createLimit(concurrency: number): Limit {
  let running = 0
  const waiting: (() => void)[] = []
  const release = () => {
    running--
    waiting.shift()?.()
  }
  return async (run) => {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    running++
    try {
      return await run()
    } finally {
      release()
    }
  }
}
