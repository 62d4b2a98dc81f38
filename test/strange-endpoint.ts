import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** An address on loopback, as `127.0.0.1:1234`. */
export interface StrangeEndpoint extends AsyncDisposable {
  readonly host: string
}

/** Somebody who takes connections and never answers. */
export async function silentEndpoint(): Promise<StrangeEndpoint> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  return {
    host: `127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Where nobody listens any more. */
export async function closedEndpoint(): Promise<StrangeEndpoint> {
  const endpoint = await silentEndpoint()
  await endpoint[Symbol.asyncDispose]()
  return endpoint
}
