import type { AddressPool } from '../../src/sandbox/addresses.ts'
import { cidrHost, cidrSize, parseCidr } from '../../src/sandbox/ip-range.ts'

/** Hands out the addresses of a range that belongs to this world alone, each again only after all others. */
export class PlainAddresses implements AddressPool {
  readonly #free: string[] = []
  readonly #range: string

  /** `skip` hosts at its beginning, and the last one, are not handed out. */
  constructor(range: string, skip: number) {
    this.#range = range
    const parsed = parseCidr(range)
    if (parsed === undefined) throw new Error(`no range of addresses: ${range}`)
    for (let host = skip; host < cidrSize(parsed) - 1; host++)
      this.#free.push(cidrHost(parsed, host))
  }

  async allocate(): Promise<string> {
    const address = this.#free.shift()
    if (address === undefined) throw new Error(`every address of ${this.#range} is taken`)
    return address
  }

  release(address: string): void {
    this.#free.push(address)
  }

  async close(): Promise<void> {}
}
