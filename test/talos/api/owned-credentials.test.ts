import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, expect, it } from 'vitest'
import { generateKey, issueCertificate, writePrivateKey } from '../../../src/sandbox/pki.ts'
import { talosApi } from '../../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../../src/talos/api/talos-client.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
})

/** Listens on loopback, and keeps what connects. */
async function listen(server: Server): Promise<{ port: number; next: () => Promise<Socket> }> {
  servers.push(server)
  const connections: Promise<Socket>[] = []
  const next = () =>
    new Promise<Socket>((resolve) => server.once('connection', (socket) => resolve(socket)))
  connections.push(next())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, next: () => connections.shift() ?? next() }
}

function selfSigned() {
  const key = generateKey('p256')
  const crt = issueCertificate({
    subject: { commonName: 'other' },
    key,
    usages: ['serverAuth', 'clientAuth'],
    ipAddresses: ['127.0.0.1'],
    lifetimeMs: 3_600_000,
  })
  return { crt, key: writePrivateKey(key) }
}

it.each([
  ['in maintenance', {}],
  ['with a key that is known', { fingerprint: 'of another' }],
  ['of a cluster', { credentials: { ca: selfSigned().crt, ...selfSigned() } }],
])(
  'a node %s that never answers the handshake keeps no socket of a client that was closed',
  async (_, way) => {
    const { port, next } = await listen(createServer())
    const client = new TalosClient({ address: '127.0.0.1', port, timeoutMs: 300, ...way })
    const socket = next()
    await expect(talosApi(client).machine.version()).rejects.toMatchObject({
      code: 'talos-unreachable',
    })
    const peer = await socket
    const closed = once(peer.resume(), 'close')
    peer.on('error', () => undefined)
    client.close()
    await closed
  },
)

it('a connection that is ready only after the client was closed ends at once', async () => {
  const silent = createServer()
  const { port, next } = await listen(silent)
  const client = new TalosClient({ address: '127.0.0.1', port, timeoutMs: 10_000 })
  const failed = expect(talosApi(client).machine.version()).rejects.toThrow()
  const peer = await next()
  peer.on('error', () => undefined)
  // The handshake begins where the client is gone already.
  client.close()
  const { crt, key } = selfSigned()
  const secure = createTlsServer({ cert: crt, key, ALPNProtocols: ['h2'] })
  secure.on('tlsClientError', () => undefined)
  const closed = once(peer, 'close')
  secure.emit('connection', peer)
  await Promise.all([closed, failed])
})

it('a node with a certificate of somebody else is refused, and its connection ends with the client', async () => {
  const { crt, key } = selfSigned()
  const server = createTlsServer({ cert: crt, key, ALPNProtocols: ['h2'] })
  server.on('tlsClientError', () => undefined)
  const { port, next } = await listen(server)
  const client = new TalosClient({
    address: '127.0.0.1',
    port,
    credentials: { ca: selfSigned().crt, ...selfSigned() },
  })
  const socket = next()
  await expect(talosApi(client).machine.version()).rejects.toMatchObject({ code: 'talos-identity' })
  const peer = await socket
  peer.on('error', () => undefined)
  const closed = peer.destroyed ? undefined : once(peer, 'close')
  client.close()
  await closed
})
