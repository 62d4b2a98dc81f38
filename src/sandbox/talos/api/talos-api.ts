import { createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import {
  createServer as createTlsServer,
  type SecureContextOptions,
  type TLSSocket,
  type Server as TlsServer,
} from 'node:tls'
import { type ConnectionInjector, Server, ServerCredentials } from '@grpc/grpc-js'
import { createClock } from '../../../lib/clock.ts'
import { isInForce, issueKey } from '../../pki.ts'
import type { TalosNode } from '../talos-node.ts'
import { issueServerCertificate } from '../trustd.ts'
import { bindRpcs } from './bind-rpcs.ts'
import { isAdmitted } from './is-admitted.ts'
import { talosPort } from './talos-port.ts'

const maxMessageBytes = 32 * 1024 * 1024
/** Of the wall, not of the world: what it waits for is this process's own work. */
const graceMs = 100
/** Half of the day that a node's certificate is good for: then Talos makes itself another one. */
const renewsAfterMs = 43_200_000
const clientAuth = '1.3.6.1.5.5.7.3.2'

interface Open {
  readonly tcp: TcpServer
  readonly tls: TlsServer
  readonly grpc: Server
  readonly injector: ConnectionInjector
  readonly sockets: Set<Socket>
}

/**
 * A node's API on its public address: with a throw-away certificate and for anybody in maintenance
 * mode, with one of the cluster's and for the cluster's clients afterwards.
 */
export class TalosApi {
  readonly #node: TalosNode
  #open: Open | undefined
  #opening: Promise<void> | undefined
  /** The connections in maintenance, each with the number of the key that it was shown. */
  readonly #shown: { readonly peer: string; readonly key: number }[] = []
  #key = 0
  #ready = false
  /** When its certificate was made, by the world's calendar. */
  #issuedAt = 0

  constructor(node: TalosNode) {
    this.#node = node
  }

  /** Whether it answers, or would where the machine has a public address. */
  get listening(): boolean {
    return this.#ready
  }

  /** Nothing where it listens already. Without a certificate to be had (a worker on its own) it does not. */
  listen(): Promise<void> {
    this.#opening ??= this.#listen().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #listen(): Promise<void> {
    const address = this.#node.machine.publicIp
    const tls = this.#ready ? undefined : this.#createTls()
    if (tls === undefined) return
    if (address !== undefined) this.#open = await this.#serve(address, tls)
    this.#ready = true
  }

  /**
   * Takes up other CAs of the config at once, as apid does: new connections get a certificate of the issuing CA, and
   * are let in with one of it or of an accepted CA. Those that are open stay. A worker that finds nobody to issue it
   * one keeps what it has.
   */
  renew(): void {
    const context = this.#secureContext()
    if (context !== undefined) this.#open?.tls.setSecureContext(context)
  }

  /** Nobody sees when a node renews its certificate, but by the next connection. */
  #renewWhenDue(): void {
    const { config, world } = this.#node
    if (config !== undefined && world.calendar.now() - this.#issuedAt >= renewsAfterMs) this.renew()
  }

  /** Ends every connection: what was being answered gets out first, if it does so within the grace. */
  async close(): Promise<void> {
    await this.#opening
    const open = this.#open
    this.#ready = false
    this.#open = undefined
    if (open === undefined) return
    const closed = new Promise<void>((done) => open.tcp.close(() => done()))
    open.injector.drain(graceMs)
    const grace = new AbortController()
    // A connection without calls ends by itself at once, one with an answer under way when that is out;
    // a stream that somebody watches would go on.
    await Promise.race([
      closed,
      createClock()
        .sleep(graceMs, grace.signal)
        .catch(() => {}),
    ])
    grace.abort()
    for (const socket of open.sockets) socket.destroy()
    open.grpc.forceShutdown()
    await closed
  }

  /** Cuts the connection that comes from this address and port. */
  cut(peer: string): void {
    for (const socket of this.#open?.sockets ?? []) {
      if (`${socket.remoteAddress}:${socket.remotePort}` === peer) socket.destroy()
    }
  }

  cutAll(): void {
    for (const socket of this.#open?.sockets ?? []) socket.destroy()
  }

  /** Whether the key of this connection, in maintenance, was shown on an earlier one too. */
  wasShownBefore(peer: string): boolean {
    const index = this.#shown.findIndex((shown) => shown.peer === peer)
    const key = this.#shown[index]?.key
    return this.#shown.slice(0, Math.max(index, 0)).some((shown) => shown.key === key)
  }

  /** Where somebody stands in between, the next connection meets another key. */
  #showKey(tls: TlsServer, peer: string): void {
    if (this.#node.state.faults.takeOtherKey(this.#node.name)) {
      tls.setSecureContext(throwAwayKey())
      this.#key++
    }
    this.#shown.push({ peer, key: this.#key })
  }

  #createTls(): TlsServer | undefined {
    const { config } = this.#node
    if (config === undefined) {
      return createTlsServer({ ...throwAwayKey(), ALPNProtocols: ['h2'] })
    }
    const context = this.#secureContext()
    if (context === undefined) return undefined
    return createTlsServer({
      ...context,
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    })
  }

  #secureContext(): SecureContextOptions | undefined {
    const { config } = this.#node
    const issued = issueServerCertificate(this.#node)
    if (config === undefined || issued === undefined) return undefined
    this.#issuedAt = this.#node.world.calendar.now()
    return {
      cert: issued.crt,
      key: issued.key,
      ca: [config.machineCa.crt, ...config.acceptedCas].filter((pem) => pem !== ''),
    }
  }

  async #serve(address: string, tls: TlsServer): Promise<Open> {
    const node = this.#node
    const grpc = new Server({
      'grpc.max_receive_message_length': maxMessageBytes,
      'grpc.max_send_message_length': maxMessageBytes,
      'grpc.enable_channelz': 0,
    })
    bindRpcs(grpc, node)
    const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure())
    const sockets = new Set<Socket>()
    tls.on('tlsClientError', (_error, socket) => socket.destroy())
    tls.on('secureConnection', (socket) => {
      // Who was still shaking hands when it closed comes too late.
      const admitted =
        node.config === undefined || isClientCertificate(socket, node.world.calendar.now())
      if (tcp.listening && admitted) injector.injectConnection(socket)
      else socket.destroy()
    })
    const tcp = createTcpServer((socket) => {
      socket.on('error', () => socket.destroy())
      sockets.add(socket)
      if (node.config === undefined)
        this.#showKey(tls, `${socket.remoteAddress}:${socket.remotePort}`)
      socket.once('close', () => sockets.delete(socket))
      this.#renewWhenDue()
      node.background(async () => {
        if (await isAdmitted(node, socket)) tls.emit('connection', socket)
        else socket.destroy()
      })
    })
    await new Promise<void>((resolve, reject) => {
      tcp.once('error', reject)
      tcp.listen(talosPort, address, () => resolve())
    })
    return { tcp, tls, grpc, injector, sockets }
  }
}

/** What a node shows in maintenance, and whoever stands in between. */
function throwAwayKey(): { readonly cert: string; readonly key: string } {
  const { crt, key } = issueKey('ed25519', {
    subject: { commonName: 'maintenance-service.talos.dev' },
    usages: ['serverAuth'],
  })
  return { cert: crt, key }
}

/** Talos wants the certificate's extended usage to be exactly this one, and looks at its dates once. */
function isClientCertificate(socket: TLSSocket, now: number): boolean {
  const certificate = socket.getPeerCertificate()
  const { ext_key_usage: usage = [] } = certificate
  return usage.length === 1 && usage[0] === clientAuth && isInForce(certificate, now)
}
