/**
 * Turns pushed items into a stream: `subscribe` gets a function to push with and answers how to end
 * the subscription. The stream ends when `signal` aborts.
 */
export async function* streamOf<T>(
  subscribe: (push: (item: T) => void) => () => void,
  signal: AbortSignal,
): AsyncIterable<T> {
  const waiting: T[] = []
  let wake = () => {}
  const unsubscribe = subscribe((item) => {
    waiting.push(item)
    wake()
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    while (!signal.aborted) {
      const item = waiting.shift()
      if (item !== undefined) yield item
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    unsubscribe()
  }
}
