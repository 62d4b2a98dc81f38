/**
 * A signal that aborts `milliseconds` of the wall's time after another one: for what an interrupted run
 * still has to do and may not wait for too long, since whoever interrupted it has only so much patience.
 * Dispose of it when that is done, or the process waits for it.
 */
export function graceAfter(
  signal: AbortSignal,
  milliseconds: number,
): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = () => {
    timer = setTimeout(() => controller.abort(signal.reason), milliseconds)
  }
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer)
      signal.removeEventListener('abort', begin)
    },
  }
}
