import { TooLarge } from './bounded-bytes.ts'

/** What a child process prints, as long as that is no more than `mostBytes`; beyond it `onTooLarge` ends the child. */
export class BoundedOutput {
  readonly #mostBytes: number
  readonly #onTooLarge: () => void
  #chunks: Uint8Array[] = []
  #size = 0
  #tooLarge: TooLarge | undefined

  constructor(mostBytes: number, onTooLarge: () => void) {
    this.#mostBytes = mostBytes
    this.#onTooLarge = onTooLarge
  }

  get tooLarge(): TooLarge | undefined {
    return this.#tooLarge
  }

  add(chunk: Uint8Array): void {
    if (this.#tooLarge) return
    this.#size += chunk.length
    if (this.#size <= this.#mostBytes) {
      this.#chunks.push(chunk)
      return
    }
    this.#chunks = this.#chunks.slice(0, 1)
    this.#tooLarge = new TooLarge(this.#mostBytes)
    this.#onTooLarge()
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}
