/** Runs what it is given, at most `concurrency` at once, in the order in which it was asked. */
export type Limit = <T>(run: () => Promise<T>) => Promise<T>

export function createLimit(concurrency: number): Limit {
  let running = 0
  const waiting: (() => void)[] = []
  // A place is handed on, never given back and taken again: somebody new could come in between.
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  return async (run) => {
    if (running < concurrency) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      release()
    }
  }
}
