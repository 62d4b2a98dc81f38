import type { Clock } from '../../lib/clock.ts'

/**
 * How long a lock has not moved, as far as this process has seen it, by this process's own clock. What the
 * holder's clock says plays no part: clocks of two machines are never compared.
 */
export class LockWatch {
  readonly #clock: Clock
  #commit: string | undefined
  #since = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Notes what stands at the lock's ref now; answers for how many milliseconds it has stood there. */
  see(commit: string): number {
    const now = this.#clock.now()
    if (commit !== this.#commit) {
      this.#commit = commit
      this.#since = now
    }
    return now - this.#since
  }
}
