import type { ServerResponse } from 'node:http'

/**
 * Passes the output of a CGI program on as an HTTP answer: its header lines become the answer's, `Status`
 * its code, and what follows the empty line the body.
 */
export class CgiReply {
  readonly #response: ServerResponse
  #head = Buffer.alloc(0)
  #inBody = false

  constructor(response: ServerResponse) {
    this.#response = response
  }

  write(chunk: Buffer): void {
    if (this.#inBody) {
      this.#response.write(chunk)
      return
    }
    this.#head = Buffer.concat([this.#head, chunk])
    const end = this.#head.indexOf('\r\n\r\n')
    if (end < 0) return
    this.#inBody = true
    this.#writeHead(this.#head.toString('latin1', 0, end))
    const body = this.#head.subarray(end + 4)
    if (body.length > 0) this.#response.write(body)
  }

  end(): void {
    if (!this.#inBody) this.#response.writeHead(502)
    this.#response.end()
  }

  #writeHead(head: string): void {
    let status = 200
    for (const line of head.split('\r\n')) {
      const colon = line.indexOf(':')
      const name = line.slice(0, colon)
      const value = line.slice(colon + 1).trim()
      if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10)
      else this.#response.setHeader(name, value)
    }
    this.#response.writeHead(status)
  }
}
