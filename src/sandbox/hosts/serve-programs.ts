import { createServer, type Socket } from 'node:net'

/** One run of a program whose effects are the world's. */
export interface ProgramRun {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Aborted when the program was killed. */
  readonly signal: AbortSignal
  out(line: string): void
  err(line: string): void
}

/** Returns the exit code. */
export type RunProgram = (run: ProgramRun) => Promise<number>

/**
 * Where stand-in programs have their effects done: each host has a token, by which it is known. Loopback and not a
 * Unix socket, since bash opens the one by itself.
 */
export class ProgramServer {
  readonly #hosts = new Map<string, RunProgram>()
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((socket) => this.#accept(socket))
  readonly #onBug: (error: unknown) => void

  constructor(onBug: (error: unknown) => void) {
    this.#onBug = onBug
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(0, '127.0.0.1', resolve)
    })
    const bound = this.#server.address()
    return typeof bound === 'object' && bound !== null ? bound.port : 0
  }

  register(token: string, run: RunProgram): void {
    this.#hosts.set(token, run)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((done) => this.#server.close(done))
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    const ended = new AbortController()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      this.#sockets.delete(socket)
      ended.abort(new Error('the program was killed'))
    })
    this.#serve(socket, ended.signal).catch((error: unknown) => {
      if (!ended.signal.aborted) this.#onBug(error)
      socket.destroy()
    })
  }

  async #serve(socket: Socket, signal: AbortSignal): Promise<void> {
    const [token = '', cwd = '', program = '', ...args] = await readWords(socket)
    const run = this.#hosts.get(token)
    if (run === undefined) return void socket.destroy()
    const printer = (mark: string) => (text: string) => {
      for (const line of text.split('\n')) socket.write(`${mark}${line}\n`)
    }
    const code = await run({ program, args, cwd, signal, out: printer('1'), err: printer('2') })
    if (!socket.destroyed) socket.end(`x${code}\n`)
  }
}

/** Words that end with a NUL; the second is how many follow it. */
function readWords(socket: Socket): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let text = Buffer.alloc(0)
    socket.on('close', () => reject(new Error('the program ended before it had asked')))
    socket.on('data', (chunk: Buffer) => {
      text = Buffer.concat([text, chunk])
      const [token = '', count, ...words] = text.toString('utf8').split('\0')
      if (count !== undefined && words.length > Number(count)) {
        resolve([token, ...words.slice(0, Number(count))])
      }
    })
  })
}
