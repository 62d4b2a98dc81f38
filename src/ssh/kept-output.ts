import { formatBytes } from '../lib/format-bytes.ts'

/** No secret is longer: what may be the rest of one at the cut is dropped with it. */
const longestSecret = 8 * 1024

/** The end of what a command prints, where errors stand: memory does not grow with it, and what is missing is noted. */
export class KeptOutput {
  readonly #mostBytes: number
  #chunks: Uint8Array[] = []
  #kept = 0
  #all = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#kept += chunk.length
    this.#all += chunk.length
    // Joined now and then, and not for each chunk.
    if (this.#kept > 2 * (this.#mostBytes + longestSecret)) this.#cut()
  }

  /** What is kept, without secrets. */
  text(redact: (text: string) => string): string {
    if (this.#all <= this.#mostBytes) return redact(this.#joined().toString('utf8'))
    this.#cut()
    // A secret that was cut in two is not recognized: what is left of it stands within the first bytes.
    const clean = redact(this.#joined().toString('utf8')).slice(longestSecret)
    const missing = formatBytes(this.#all - this.#mostBytes)
    return `[${missing} of output before this are not shown]\n${clean}`
  }

  #joined(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  #cut(): void {
    const most = this.#mostBytes + longestSecret
    const kept = this.#joined()
    // A copy: a slice would keep all of it alive.
    this.#chunks = [Buffer.from(kept.subarray(Math.max(0, kept.length - most)))]
    this.#kept = Math.min(kept.length, most)
  }
}
