import type { World } from '../../world.ts'

/** A bucket that holds an hour's requests and fills by one hour's requests in an hour, steadily. */
export class RateLimit {
  readonly #world: World
  #tokens: number
  #filledAt: number

  constructor(world: World) {
    this.#world = world
    this.#tokens = world.requestsPerHour
    this.#filledAt = world.clock.now()
  }

  /** Takes one request out; false where there is none left. */
  take(): boolean {
    const limit = this.#world.requestsPerHour
    const now = this.#world.clock.now()
    const grown = ((now - this.#filledAt) / 3_600_000) * limit
    this.#tokens = Math.min(limit, this.#tokens + grown)
    this.#filledAt = now
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }

  /** `Reset` is the Unix time at which the bucket is full again, not when the next request may come. */
  headers(): Record<string, string> {
    const limit = this.#world.requestsPerHour
    const fullIn = ((limit - this.#tokens) / limit) * 3_600
    return {
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(Math.floor(this.#tokens)),
      'RateLimit-Reset': String(Math.ceil(this.#filledAt / 1_000 + fullIn)),
    }
  }
}
