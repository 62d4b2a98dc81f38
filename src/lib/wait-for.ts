import type { Clock } from './clock.ts'
import { ClusterError } from './cluster-error.ts'

/** What a check answers: the awaited value, or why the sentence is not true yet. */
export type Checked<T> = { readonly done: T } | { readonly pending: string }

export interface WaitOptions {
  readonly clock: Clock
  /** How often to look, in milliseconds. */
  readonly everyMs: number
  /** How long to look at most, in milliseconds. */
  readonly withinMs: number
  readonly signal?: AbortSignal | undefined
  /** Called whenever the reason for waiting changes. */
  readonly onPending?: (reason: string) => void
  /** What to do when the wait times out. */
  readonly hint?: string
  /** What to throw when the wait times out, in place of `wait-timeout`. */
  readonly timedOut?: () => ClusterError | Promise<ClusterError>
}

/**
 * Polls `check` until it is done, and returns what it found. `sentence` says what is awaited, as in
 * `all nodes to be Ready`. Throws `wait-timeout` with the last reason, or what `timedOut` makes, when `withinMs` has passed;
 * whatever `check` throws ends the wait at once.
 */
export async function waitFor<T>(
  sentence: string,
  check: () => Promise<Checked<T>>,
  options: WaitOptions,
): Promise<T> {
  const { clock, signal } = options
  const deadline = clock.now() + options.withinMs
  let reason = ''
  for (;;) {
    signal?.throwIfAborted()
    const checked = await check()
    if ('done' in checked) return checked.done
    if (checked.pending !== reason) {
      reason = checked.pending
      options.onPending?.(reason)
    }
    const left = deadline - clock.now()
    if (left <= 0) {
      if (options.timedOut) throw await options.timedOut()
      const minutes = Math.round(options.withinMs / 6_000) / 10
      throw new ClusterError(
        'wait-timeout',
        `timed out after ${minutes} min waiting for ${sentence}: ${reason}`,
        options.hint === undefined ? {} : { hint: options.hint },
      )
    }
    await clock.sleep(Math.min(options.everyMs, left), signal)
  }
}
