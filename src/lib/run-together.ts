/**
 * Runs tasks at once. Where one fails, the signal of the others is aborted and they are waited for before it is thrown:
 * nothing goes on behind the back of who called.
 */
export async function runTogether<T extends readonly Promise<unknown>[]>(
  signal: AbortSignal,
  start: (signal: AbortSignal) => readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const givenUp = new AbortController()
  const tasks = start(AbortSignal.any([signal, givenUp.signal]))
  try {
    return await Promise.all(tasks)
  } catch (error) {
    givenUp.abort(new Error('given up: what ran beside it failed'))
    await Promise.allSettled(tasks)
    throw error
  }
}
