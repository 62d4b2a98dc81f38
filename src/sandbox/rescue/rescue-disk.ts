import { readDisk } from '../factory/disk-image.ts'
import type { Machine } from '../machine.ts'

/** A machine's disk as the rescue system writes it; what is on it is judged when the machine goes off. */
export class RescueDisk {
  readonly #machine: Machine
  #written: Buffer | undefined

  constructor(machine: Machine) {
    this.#machine = machine
  }

  /** Empties it. */
  discard(): void {
    this.write(Buffer.alloc(0))
  }

  /** Overwrites it from its start. */
  write(bytes: Buffer): void {
    this.#written = bytes
    this.#machine.disk.state.clear()
  }

  /** What was written since the rescue system came up. */
  read(): Buffer {
    return this.#written ?? Buffer.alloc(0)
  }

  /** A whole image boots as what it is, anything else does not boot; untouched, it stays what it was. */
  commit(): void {
    if (this.#written !== undefined) this.#machine.disk.image = readDisk(this.#written)
  }
}
