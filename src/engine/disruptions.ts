/**
 * The one place through which a run stops nodes: at most so many at a time in the whole cluster, whatever stops them.
 * What still waits when the run has failed is not begun.
 */
export class Disruptions {
  readonly #signal: AbortSignal
  /** Places taken for work that ends in another part of the run, by the node's name. */
  readonly #held = new Map<string, () => void>()
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(atOnce: number, signal: AbortSignal) {
    this.#free = atOnce
    this.#signal = signal
  }

  /** Takes a place for a node that is out of service already, whether one is free or not, until `end` is called for it. */
  hold(node: string): void {
    if (this.#held.has(node)) return
    this.#free--
    this.#held.set(node, () => this.#release())
  }

  /** Whether the node has a place until `end` is called for it. */
  isHeld(node: string): boolean {
    return this.#held.has(node)
  }

  /** Does what stops a node or its pods, when its turn comes: at once for a node that has a place already. */
  async during<Result>(node: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#held.has(node)) return work()
    const release = await this.#take()
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Takes a place for a node, when its turn comes, until `end` is called for it. */
  async begin(node: string): Promise<void> {
    if (this.#held.has(node)) return
    this.#held.set(node, await this.#take())
  }

  /** The node is in service again, or gone for good. */
  end(node: string): void {
    this.#held.get(node)?.()
    this.#held.delete(node)
  }

  async #take(): Promise<() => void> {
    const signal = this.#signal
    signal.throwIfAborted()
    if (this.#free > 0) this.#free--
    else await this.#turn()
    // Nothing is started after a failure; the place is handed on, so that nobody waits for it for ever.
    if (signal.aborted) this.#release()
    signal.throwIfAborted()
    return () => this.#release()
  }

  #turn(): Promise<void> {
    const signal = this.#signal
    return new Promise((resolve, reject) => {
      const abort = () => {
        const index = this.#waiting.indexOf(next)
        if (index >= 0) this.#waiting.splice(index, 1)
        reject(signal.reason)
      }
      const next = () => {
        signal.removeEventListener('abort', abort)
        resolve()
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting.push(next)
    })
  }

  #release(): void {
    this.#free++
    // Nodes that were out of service from the beginning may be more than there are places.
    if (this.#free <= 0) return
    const next = this.#waiting.shift()
    if (!next) return
    this.#free--
    next()
  }
}
