import type { Redactor } from '../lib/redactor.ts'

/** How long a line may be, in bytes, before it is taken in pieces. */
const longestLine = 64 * 1024

/** How many lines are kept to show why a job failed. */
const keptLines = 20

/** The log of a job, read piece by piece: whole lines, without secrets. */
export class JobLog {
  readonly #redactor: Redactor
  readonly #onLine: ((line: string) => void) | undefined
  #rest: Uint8Array = new Uint8Array()
  #lastLines: readonly string[] = []
  #offset = 0

  constructor(redactor: Redactor, onLine?: (line: string) => void) {
    this.#redactor = redactor
    this.#onLine = onLine
  }

  /** How many bytes were read. */
  get offset(): number {
    return this.#offset
  }

  get lastLines(): readonly string[] {
    return this.#lastLines
  }

  add(piece: Uint8Array): void {
    this.#offset += piece.length
    const all = Buffer.concat([this.#rest, piece])
    const end = this.#endOf(all)
    this.#rest = all.subarray(end)
    this.#take(all.subarray(0, end))
  }

  /** Takes what stands after the last line feed: the job has ended. */
  end(): void {
    this.#take(Buffer.from(this.#rest))
    this.#rest = new Uint8Array()
  }

  /** How much can be taken: whole lines, or so much of a line that is too long that no secret is cut in two. */
  #endOf(all: Buffer): number {
    const lines = all.lastIndexOf('\n') + 1
    if (lines > 0 || all.length <= longestLine) return lines
    let end = Math.max(0, all.length - this.#redactor.longestSecret)
    for (let across = this.#redactor.secretAcross(all, end); across !== undefined; ) {
      end = across[0]
      across = this.#redactor.secretAcross(all, end)
    }
    return end
  }

  #take(whole: Buffer): void {
    if (whole.length === 0) return
    const lines = this.#redactor.redact(whole.toString('utf8').replace(/\n$/, '')).split('\n')
    this.#lastLines = [...this.#lastLines, ...lines].slice(-keptLines)
    for (const line of lines) this.#onLine?.(line)
  }
}
