import type { WorldRequest } from '../request-log.ts'

/**
 * Knows when a run has reported a failure. From then on it may end what it has at hand, and put up what it
 * opened for itself, but begin nothing: judged by servers and nodes that it had not touched before.
 */
export class RunJudge {
  #run: string | undefined
  #since = 0
  #failedAt: number | undefined

  /** A run, or another one, is heard of. What a former one left undone is no concern any more. */
  heard(run: string, requests: number): void {
    if (run === this.#run) return
    this.#run = run
    this.#since = requests
    this.#failedAt = undefined
  }

  failed(run: string, requests: number): void {
    this.heard(run, requests)
    this.#failedAt ??= requests
  }

  /** Whether a run that has failed begins with what it never touched. `isAbout` tells the requests that did. */
  isNew(requests: readonly WorldRequest[], isAbout: (request: WorldRequest) => boolean): boolean {
    if (this.#failedAt === undefined) return false
    return !requests.slice(this.#since, this.#failedAt).some(isAbout)
  }
}
