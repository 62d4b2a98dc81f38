import { createServer, type Server, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { authenticate } from '../rescue/authenticate.ts'
import { type HostSessions, serveHostSessions } from './host-sessions.ts'
import type { HostService, SimHost } from './sim-host.ts'

export interface HostSshOptions extends HostSessions {
  readonly port: number
  readonly user: string
  /** A line of `authorized_keys`. */
  readonly publicKey: string
  /** A private key in OpenSSH's format. */
  readonly hostKey: string
}

/** The SSH server of a host, at the host's own address for as long as it is on. */
export class HostSsh implements HostService {
  readonly #host: SimHost
  readonly #options: HostSshOptions
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined

  constructor(host: SimHost, options: HostSshOptions) {
    this.#host = host
    this.#options = options
    host.world.log.onCut(() => this.cut())
  }

  async started(): Promise<void> {
    const server = createServer((socket) => this.#accept(socket))
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#options.port, this.#host.address, resolve)
    })
  }

  async stopped(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    const closed = new Promise((done) => server.close(done))
    this.cut()
    await closed
  }

  /** Cuts every connection, as a broken network does: what runs on the host goes on. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** It answers nothing any more, and does not hang up either. */
  freeze(): void {
    for (const socket of this.#sockets) socket.pause()
  }

  #accept(socket: Socket): void {
    const { faults, world } = this.#host
    this.#sockets.add(socket)
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket))
    if (world.log.isCut) return void socket.destroy()
    if (faults.refusals > 0) {
      faults.refusals--
      return void socket.destroy()
    }
    const { hostKey, publicKey, user } = this.#options
    const admit = authenticate([publicKey], user)
    const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
      client.on('error', () => {})
      client.on('authentication', (context) => {
        if (faults.rejectsLogins) context.reject(['publickey'])
        else admit(context)
      })
      serveHostSessions(client, this.#host, socket, this.#options)
    })
    server.injectSocket(socket)
  }
}
