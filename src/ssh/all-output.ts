/** All bytes that a script prints, up to a limit that the script holds to as well. */
export class AllOutput {
  readonly #mostBytes: number
  readonly #chunks: Uint8Array[] = []
  #size = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  add(chunk: Uint8Array): void {
    const fits = chunk.subarray(0, this.#mostBytes - this.#size)
    this.#size += fits.length
    this.#chunks.push(fits)
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}
