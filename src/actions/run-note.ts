import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Runner } from '../github/runner.ts'
import { type HeldByRun, heldByRun } from '../run/held-by-run.ts'

const stateKey = 'held'

export interface NoteOptions {
  readonly runner: Pick<Runner, 'saveState' | 'savedState'>
  /** Secrets that both stages of the step are given, and nobody else: they prove that a note is ours. */
  readonly secrets: readonly (string | undefined)[]
  /** The run's name and attempt. */
  readonly owner: { readonly id: string; readonly attempt: number }
}

/**
 * Carries what a run holds on to from `main` to `post`, in the runner's saved state. Whoever gets a line into a log
 * could have written that state, so a note has a message authentication code, made with the step's own secrets and
 * bound to its run: what does not verify is not read any further.
 */
export class RunNote {
  readonly #options: NoteOptions
  #held: HeldByRun | undefined

  constructor(options: NoteOptions) {
    this.#options = options
  }

  /** Adds to the note; call it before the thing is taken. Without secrets nothing is noted: it would prove nothing. */
  add(held: HeldByRun): void {
    const former = this.#held?.clusterName === held.clusterName ? this.#held : undefined
    this.#held = { ...former, ...held }
    const text = JSON.stringify(this.#held)
    const code = this.#code(text)
    if (code !== undefined) this.#options.runner.saveState(stateKey, `${code} ${text}`)
  }

  /** What `main` noted; `forged` where something was saved that it did not write, undefined where nothing was. */
  read(): HeldByRun | 'forged' | undefined {
    const saved = this.#options.runner.savedState(stateKey)
    if (saved === '') return undefined
    const [, given = '', text = ''] = /^([0-9a-f]{64}) (.*)$/s.exec(saved) ?? []
    const code = this.#code(text)
    if (code === undefined || given === '') return 'forged'
    if (!timingSafeEqual(Buffer.from(given, 'hex'), Buffer.from(code, 'hex'))) return 'forged'
    return heldByRun.parse(JSON.parse(text))
  }

  #code(text: string): string | undefined {
    const { secrets, owner } = this.#options
    if (secrets.every((secret) => !secret)) return undefined
    const key = createHash('sha256')
      .update(JSON.stringify(['hcloud-talos/run-note/v1', ...secrets.map((one) => one ?? '')]))
      .digest()
    const signed = JSON.stringify([owner.id, owner.attempt, text])
    return createHmac('sha256', key).update(signed).digest('hex')
  }
}
