import { ClusterError } from '../../lib/cluster-error.ts'
import { errorCodes } from '../../lib/error-codes.ts'

export interface Interruption extends Disposable {
  /** Aborted by the first signal; its reason is `interrupted`. */
  readonly signal: AbortSignal
  /** Does what a signal does. */
  readonly interrupt: () => void
}

/** What asks a process to end: Ctrl-C, a supervisor, a terminal that was closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The first signal asks the run to end, which gives back the lock and deletes the temporary firewall rule; the second ends
 * the process at once. `report` prints that.
 */
export function listenForInterruption(report: (line: string) => void): Interruption {
  const controller = new AbortController()
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(errorCodes.interrupted)
    report('ending in order; once more ends at once')
    controller.abort(
      new ClusterError('interrupted', 'interrupted', {
        hint: 'Run it again: it continues where it stopped.',
      }),
    )
  }
  for (const signal of signals) process.on(signal, interrupt)
  return {
    signal: controller.signal,
    interrupt,
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, interrupt)
    },
  }
}
