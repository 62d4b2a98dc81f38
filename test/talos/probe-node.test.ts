import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { probeNode } from '../../src/talos/probe-node.ts'
import { testCluster } from './test-cluster.ts'
import { startTestNode } from './test-node.ts'

const address = '127.0.0.1'

test('a node that wants no certificate is in maintenance, and shows its fingerprint', async () => {
  await using node = await startTestNode({ answers: [] })
  const probe = await probeNode(address, { port: node.port })
  expect(probe.state).toBe('maintenance')
  if (probe.state === 'unreachable') return
  expect(Buffer.from(probe.fingerprint, 'base64')).toHaveLength(
    createHash('sha256').update('').digest().length,
  )
  expect(await probeNode(address, { port: node.port })).toEqual(probe)
})

test('a node that wants one is configured', async () => {
  const { secrets } = await testCluster()
  await using node = await startTestNode({ secrets, answers: [] })
  expect((await probeNode(address, { port: node.port })).state).toBe('configured')
  expect(node.calls).toEqual([])
})

test('a port where nobody listens is unreachable, with the reason', async () => {
  const node = await startTestNode({ answers: [] })
  await node[Symbol.asyncDispose]()
  expect(await probeNode(address, { port: node.port })).toEqual({
    state: 'unreachable',
    reason: 'ECONNREFUSED',
  })
})

test('somebody who is silent, hangs up or speaks no TLS is unreachable', async () => {
  const servers = [
    createServer(() => undefined),
    createServer((socket) => socket.destroy()),
    // Its caller hangs up on it in the middle of a word.
    createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.2\r\n')),
  ]
  for (const server of servers) {
    const port = await new Promise<number>((resolve) => {
      server.listen(0, address, () => {
        const bound = server.address()
        resolve(typeof bound === 'object' && bound !== null ? bound.port : 0)
      })
    })
    expect((await probeNode(address, { port, timeoutMs: 100 })).state).toBe('unreachable')
    server.close()
  }
})

test('an abort ends the wait with its reason', async () => {
  const reason = new Error('interrupted')
  await expect(probeNode(address, { port: 1, signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  )
})
