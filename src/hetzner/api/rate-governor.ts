import type { Clock } from '../../lib/clock.ts'

/** The share of the limit that is left to the cluster's own controllers, which use the same project. */
const reservedShare = 0.1

/** No single request waits longer than this for its turn. */
const longestWaitMs = 60_000

/**
 * Spends the project's request budget so that it does not run dry. Hetzner allows bursts up to the
 * limit and gives back a 3600th of it each second; when less than a tenth is left, requests are
 * spaced at half that speed, so that the rest refills while they go on.
 */
export class RateGovernor {
  readonly #clock: Clock
  #limit = 0
  #remaining = Number.POSITIVE_INFINITY
  #heardAt = 0
  #nextTurn = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Reads the `RateLimit-*` headers of an answer; answers without them change nothing. */
  hear(headers: Headers): void {
    const limit = Number(headers.get('ratelimit-limit') ?? Number.NaN)
    const remaining = Number(headers.get('ratelimit-remaining') ?? Number.NaN)
    if (!(limit > 0) || !(remaining >= 0)) return
    this.#limit = limit
    this.#remaining = remaining
    this.#heardAt = this.#clock.now()
  }

  /** Resolves when the next request may go out. */
  async turn(signal?: AbortSignal): Promise<void> {
    const now = this.#clock.now()
    if (this.#left(now) > this.#limit * reservedShare) {
      this.#remaining--
      return
    }
    const spacingMs = 2 * (1_000 / this.#refillPerSecond())
    this.#nextTurn = Math.max(now, this.#nextTurn) + spacingMs
    this.#remaining--
    await this.#clock.sleep(Math.min(this.#nextTurn - now, longestWaitMs), signal)
  }

  #left(now: number): number {
    return this.#remaining + ((now - this.#heardAt) / 1_000) * this.#refillPerSecond()
  }

  #refillPerSecond(): number {
    return this.#limit / 3_600
  }
}
