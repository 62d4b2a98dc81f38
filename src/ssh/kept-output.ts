import { formatBytes } from '../lib/format-bytes.ts'
import type { Redactor } from '../lib/redactor.ts'

/** The end of what a command prints, where errors stand: memory does not grow with it, and what is missing is noted. */
export class KeptOutput {
  readonly #mostBytes: number
  readonly #redactor: Redactor
  #chunks: Uint8Array[] = []
  #kept = 0
  #all = 0

  constructor(mostBytes: number, redactor: Redactor) {
    this.#mostBytes = mostBytes
    this.#redactor = redactor
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#kept += chunk.length
    this.#all += chunk.length
    // Joined now and then, and not for each chunk.
    if (this.#kept > 2 * (this.#mostBytes + this.#redactor.longestSecret)) this.#cut()
  }

  /** What is kept, without secrets. */
  text(): string {
    const redactor = this.#redactor
    const kept = Buffer.concat(this.#chunks)
    if (this.#all <= this.#mostBytes) return redactor.redact(kept.toString('utf8'))
    // What is left of a secret that was cut before stands within the first bytes, where it is not recognized.
    const wasCut = this.#all > kept.length
    let from = Math.max(kept.length - this.#mostBytes, wasCut ? redactor.longestSecret : 0)
    for (let across = redactor.secretAcross(kept, from); across !== undefined; ) {
      from = across[1]
      across = redactor.secretAcross(kept, from)
    }
    const end = kept.subarray(from)
    const missing = formatBytes(this.#all - end.length)
    return `[${missing} of output before this are not shown]\n${redactor.redact(end.toString('utf8'))}`
  }

  #cut(): void {
    const kept = Buffer.concat(this.#chunks)
    const most = this.#mostBytes + this.#redactor.longestSecret
    // A copy: a slice would keep all of it alive.
    this.#chunks = [Buffer.from(kept.subarray(Math.max(0, kept.length - most)))]
    this.#kept = Math.min(kept.length, most)
  }
}
