/** All bytes that a script prints, up to a limit that the script holds to as well. */
export class AllOutput {
  readonly #mostBytes: number
  readonly #chunks: Uint8Array[] = []
  #size = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  add(chunk: Uint8Array): void {
    const room = this.#mostBytes - this.#size
    if (room <= 0) return
    // A copy where it is cut: a view would keep all of the chunk.
    const fits = chunk.length <= room ? chunk : chunk.slice(0, room)
    this.#size += fits.length
    this.#chunks.push(fits)
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}
