import type { Clock } from '../lib/clock.ts'
import type { Faults, RequestFaultKind } from './faults.ts'

/** A request that a front of the sandbox was asked. */
export interface WorldRequest {
  /** `hetzner`, `talos`, `kubernetes`, `factory`, `rescue`, `github`, ... */
  readonly front: string
  readonly method: string
  readonly path: string
  /** Whether it can change the world. */
  readonly mutates: boolean
  /** The world's instant, in milliseconds. */
  readonly at: number
}

/** A request on its way through a front. */
export interface RequestPass {
  /** Cut the connection now; nothing may happen. */
  readonly dropped: boolean
  /** A fault that the front has to play; the drops are told by `dropped` and `leave` alone. */
  readonly fault: Exclude<RequestFaultKind, 'drop-before' | 'drop-after'> | undefined
  /**
   * To be called when the effect has taken place, before the answer is sent. False: cut the
   * connection, the answer is lost.
   */
  leave(): Promise<boolean>
}

type RequestWatcher = (request: WorldRequest) => void

const watchers = new Set<RequestWatcher>()

/** For test runners: told of every request to any world in this process from now on. */
export function watchRequests(watcher: RequestWatcher): void {
  watchers.add(watcher)
}

export type RequestListener = (request: WorldRequest) => void | Promise<void>

/**
 * The one gate through which every request of every front passes: it counts them, plays the faults
 * that concern connections, and lets a test stop the world, or the product, at an exact step.
 */
export class RequestLog {
  readonly requests: WorldRequest[] = []
  readonly #clock: Clock
  readonly #faults: Faults
  readonly #listeners: RequestListener[] = []
  readonly #afterMutation: { left: number; run: () => void | Promise<void> }[] = []
  readonly #onCut: (() => void)[] = []
  #left = Number.POSITIVE_INFINITY
  #loseLast = false
  #isCut = false

  constructor(clock: Clock, faults: Faults) {
    this.#clock = clock
    this.#faults = faults
  }

  /** `mutates` says whether it changes the world; by default any method but GET and HEAD does. */
  enter(
    front: string,
    method: string,
    path: string,
    mutates = method !== 'GET' && method !== 'HEAD',
  ): RequestPass {
    const request: WorldRequest = { front, method, path, mutates, at: this.#clock.now() }
    this.requests.push(request)
    for (const watch of watchers) watch(request)
    const notified = Promise.all(this.#listeners.map(async (listen) => listen(request)))
    if (this.#left <= 0) {
      // Whoever is killed sends nothing more, also while the last request still waits for its answer.
      this.#cut()
      return dropped
    }
    this.#left--
    const last = this.#left === 0
    const fault = this.#faults.takeRequest(front, method, path)
    if (fault === 'drop-before') return dropped
    return {
      dropped: false,
      fault: fault === 'drop-after' ? undefined : fault,
      leave: async () => {
        await notified
        if (mutates) await this.#mutated()
        if (last) this.#cut()
        return fault !== 'drop-after' && !(last && this.#loseLast)
      },
    }
  }

  /** Told of every request as it comes in; its promise is awaited before the answer goes out. */
  onRequest(listener: RequestListener): void {
    this.#listeners.push(listener)
  }

  /** Runs once, when the `count`th mutating request from now has had its effect and before its answer. */
  afterMutation(count: number, run: () => void | Promise<void>): void {
    this.#afterMutation.push({ left: count, run })
  }

  /**
   * `count` more requests go through, then every connection of every front is cut, until `restore`.
   * With `loseLast` the last of them has its effect, but its answer is lost.
   */
  cutAfter(count: number, { loseLast = false } = {}): void {
    this.#left = count
    this.#loseLast = loseLast
    if (count === 0) this.#cut()
  }

  restore(): void {
    this.#left = Number.POSITIVE_INFINITY
    this.#isCut = false
  }

  /** Whether new connections are to be refused at once. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** For fronts with long connections (SSH, watches): told when the world is cut. */
  onCut(listener: () => void): void {
    this.#onCut.push(listener)
  }

  #cut(): void {
    if (this.#isCut) return
    this.#isCut = true
    for (const listen of this.#onCut) listen()
  }

  async #mutated(): Promise<void> {
    for (const waiting of [...this.#afterMutation]) {
      waiting.left--
      if (waiting.left > 0) continue
      this.#afterMutation.splice(this.#afterMutation.indexOf(waiting), 1)
      await waiting.run()
    }
  }
}

const dropped: RequestPass = {
  dropped: true,
  fault: undefined,
  leave: async () => false,
}
