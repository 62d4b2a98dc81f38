import type { RequestListener } from 'node:http'
import { createServer, type Server } from 'node:https'
import { createServer as createTcpServer, type Socket } from 'node:net'

export interface ApiServerOptions {
  readonly address: string
  readonly port: number
  readonly certificate: { readonly crt: string; readonly key: string }
  /** Whose client certificates count, PEM. */
  readonly clientCa: string
  /** Whether a packet from there gets through; those of others vanish without an answer. */
  readonly admits: (source: string) => boolean
  readonly listener: RequestListener
}

export interface ServedApi {
  readonly port: number
  /** Breaks every connection off, and goes on listening. */
  cut(): void
  close(): Promise<void>
}

/** One API server on one address, over TLS. Rejects where it cannot listen. */
export async function serveApi(options: ApiServerOptions): Promise<ServedApi> {
  const { certificate, clientCa, admits, listener } = options
  const server: Server = createServer(
    {
      cert: certificate.crt,
      key: certificate.key,
      ca: clientCa,
      requestCert: true,
      rejectUnauthorized: false,
      // Talos 1.14 lets nobody in with less; who can do it there can do it everywhere.
      minVersion: 'TLSv1.3',
      ALPNProtocols: ['http/1.1'],
      keepAliveTimeout: 120_000,
    },
    listener,
  )
  server.on('tlsClientError', () => {})
  const sockets = new Set<Socket>()
  const front = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    if (admits(socket.remoteAddress ?? '')) server.emit('connection', socket)
    else socket.resume()
  })
  await new Promise<void>((resolve, reject) => {
    front.once('error', reject)
    front.listen(options.port, options.address, resolve)
  })
  const bound = front.address()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
  }
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : options.port,
    cut,
    close: () =>
      new Promise((resolve) => {
        front.close(() => resolve())
        cut()
      }),
  }
}
