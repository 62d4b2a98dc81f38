/** How long a line may be, in bytes, before it is taken as it is. */
const longestLine = 64 * 1024

/** How many lines are kept to show why a job failed. */
const keptLines = 20

/** The log of a job, read piece by piece: whole lines, without secrets. */
export class JobLog {
  readonly #redact: (text: string) => string
  readonly #onLine: ((line: string) => void) | undefined
  #rest: Uint8Array = new Uint8Array()
  #lastLines: readonly string[] = []
  #offset = 0

  constructor(redact: (text: string) => string, onLine?: (line: string) => void) {
    this.#redact = redact
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
    const end = all.length > longestLine ? all.length : all.lastIndexOf('\n') + 1
    this.#rest = all.subarray(end)
    this.#take(all.subarray(0, end))
  }

  /** Takes what stands after the last line feed: the job has ended. */
  end(): void {
    this.#take(Buffer.from(this.#rest))
    this.#rest = new Uint8Array()
  }

  #take(whole: Buffer): void {
    if (whole.length === 0) return
    const lines = this.#redact(whole.toString('utf8').replace(/\n$/, '')).split('\n')
    this.#lastLines = [...this.#lastLines, ...lines].slice(-keptLines)
    for (const line of lines) this.#onLine?.(line)
  }
}
