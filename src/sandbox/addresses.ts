import { createServer, type Server } from 'node:net'
import { cidrHost, cidrSize, parseCidr } from './ip-range.ts'

/** A port that nothing of the sandbox serves: holding it on a block's first address holds the block. */
const leasePort = 47_471
const blockPrefix = 24

/** Where the public addresses of servers and load balancers come from. */
export interface AddressPool {
  allocate(): Promise<string>
  /** Gives an address back. */
  release(address: string): void
  close(): Promise<void>
}

/**
 * Hands out loopback addresses to servers and load balancers. Addresses come in blocks of 256; a
 * block is leased by listening on its first address, so two sandboxes of one machine never meet.
 */
export class Addresses implements AddressPool {
  readonly #range: string
  readonly #firstBlock: number
  readonly #leases: Server[] = []
  readonly #free: string[] = []
  #tried = 0
  #leasing: Promise<void> | undefined

  /** `range` is an IPv4 range within 127.0.0.0/8 of at least a /24; `start` picks the first block to try. */
  constructor(range: string, start: number) {
    this.#range = range
    this.#firstBlock = start
  }

  /** A free address; leases another block where the last one is used up. */
  async allocate(): Promise<string> {
    for (;;) {
      const address = this.#free.shift()
      if (address !== undefined) return address
      this.#leasing ??= this.#leaseBlock().finally(() => {
        this.#leasing = undefined
      })
      await this.#leasing
    }
  }

  /** Gives an address back; it is handed out again only after all the others. */
  release(address: string): void {
    this.#free.push(address)
  }

  async close(): Promise<void> {
    const leases = this.#leases.splice(0)
    await Promise.all(leases.map((lease) => new Promise((done) => lease.close(done))))
  }

  async #leaseBlock(): Promise<void> {
    const range = parseCidr(this.#range)
    if (range === undefined || range.prefix > blockPrefix) {
      throw new Error(`no range for loopback addresses: ${this.#range}`)
    }
    const blocks = cidrSize(range) / 256
    while (this.#tried < blocks) {
      const block = (this.#firstBlock + this.#tried++) % blocks
      const lease = await listen(cidrHost(range, block * 256), leasePort)
      if (lease === undefined) continue
      this.#leases.push(lease)
      for (let host = 1; host < 255; host++) this.#free.push(cidrHost(range, block * 256 + host))
      return
    }
    throw new Error(`every loopback address of ${this.#range} is taken`)
  }
}

function listen(address: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', () => resolve(undefined))
    server.listen(port, address, () => {
      server.unref()
      resolve(server)
    })
  })
}
