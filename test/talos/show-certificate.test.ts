import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, test } from 'vitest'
import { issueKey } from '../../src/sandbox/pki.ts'
import { doubtRejection } from '../../src/talos/doubt-rejection.ts'
import { showCertificate } from '../../src/talos/show-certificate.ts'
import { testCluster } from './test-cluster.ts'
import { answerVersion, startTestNode } from './test-node.ts'

const address = '127.0.0.1'
const answers = [answerVersion(() => 'v1.13.0')]

test('a node lets in who shows a certificate of its CA, and hangs up on one of another', async () => {
  const [{ secrets, credentials }, former] = [await testCluster(), await testCluster()]
  await using node = await startTestNode({ secrets, answers })
  const show = (crt: string, key: string) =>
    showCertificate(address, { port: node.port, credentials: { ...credentials, crt, key } })
  expect(await show(credentials.crt, credentials.key)).toBe('let-in')
  expect(await show(former.credentials.crt, former.credentials.key)).toBe('hung-up')
  expect(node.calls).toEqual([])
})

test('only a node that talks to us rejects others: one that is away, or talks to nobody, proves nothing', async () => {
  const [{ secrets, credentials: own }, another] = [await testCluster(), await testCluster()]
  const former = another.credentials
  const node = await startTestNode({ secrets, answers })
  const { port } = node
  expect(await doubtRejection(address, { former, own, port })).toBeUndefined()
  expect(await doubtRejection(address, { former: own, own, port })).toContain('still accepts')
  expect(await doubtRejection(address, { former, own: { ...former, ca: own.ca }, port })).toBe(
    'it talks to nobody',
  )
  await node[Symbol.asyncDispose]()
  expect(await doubtRejection(address, { former, own, port })).toContain('unknown')
})

test('a node that hung up once, as one does that is about to restart, is asked again', async () => {
  const { secrets, credentials: own } = await testCluster()
  const usages = ['serverAuth'] as const
  const subject = { commonName: 'node' }
  const issued = { subject, issuer: secrets.certs.os, usages, ipAddresses: [address] }
  const { crt: cert, key } = issueKey('ed25519', issued)
  let calls = 0
  const greet = (socket: Socket) => {
    if (++calls === 1) socket.destroy()
    else socket.once('data', () => socket.write('SETTINGS'))
  }
  await using server = await listen(createTlsServer({ cert, key, ALPNProtocols: ['h2'] }, greet))
  const { port } = server
  expect(await doubtRejection(address, { former: own, own, port })).toContain('still accepts')
  expect(calls).toBe(3)
})

test('who cannot prove to be the node has no answer that counts', async () => {
  const [{ credentials }, other] = [await testCluster(), await testCluster()]
  await using stranger = await startTestNode({ secrets: other.secrets, answers })
  await expect(
    showCertificate(address, { port: stranger.port, credentials }),
  ).rejects.toMatchObject({ code: 'talos-identity' })
  const gone = await startTestNode({ answers })
  await gone[Symbol.asyncDispose]()
  await expect(showCertificate(address, { port: gone.port, credentials })).rejects.toMatchObject({
    code: 'talos-unreachable',
  })
  for (const greet of [() => undefined, (socket: Socket) => socket.destroy()]) {
    await using server = await listen(createServer(greet))
    await expect(
      showCertificate(address, { port: server.port, credentials, timeoutMs: 100 }),
    ).rejects.toMatchObject({ code: 'talos-unreachable' })
  }
})

test('a certificate that has ended, or is yet to begin, is said to be that', async () => {
  const { secrets, credentials } = await testCluster()
  const hour = 3_600_000
  for (const [begins, code] of [
    [-2 * hour, 'certificate-ended'],
    [hour, 'clock-wrong'],
  ] as const) {
    const { crt: cert, key } = issueKey('ed25519', {
      subject: { commonName: 'node' },
      issuer: secrets.certs.os,
      usages: ['serverAuth'],
      ipAddresses: [address],
      now: Date.now() + begins,
      lifetimeMs: hour,
    })
    await using server = await listen(createTlsServer({ cert, key, ALPNProtocols: ['h2'] }))
    await expect(
      showCertificate(address, { port: server.port, credentials }),
    ).rejects.toMatchObject({ code })
  }
})

test('an abort ends the wait with its reason', async () => {
  const { credentials } = await testCluster()
  const reason = new Error('interrupted')
  const signal = AbortSignal.abort(reason)
  await expect(showCertificate(address, { port: 1, credentials, signal })).rejects.toBe(reason)
})

async function listen(server: ReturnType<typeof createServer>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, address, resolve)
  await promise
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : 0,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}
