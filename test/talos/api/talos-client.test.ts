import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import { getMachineStatus } from '../../../src/talos/api/machine-status.ts'
import { readNodeFile } from '../../../src/talos/api/node-file.ts'
import { getVersion } from '../../../src/talos/api/node-version.ts'
import { talosApi } from '../../../src/talos/api/talos-api.ts'
import { TalosClient, talosPort } from '../../../src/talos/api/talos-client.ts'
import { isTransient, statusCode } from '../../../src/talos/api/talos-status.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import type { TalosCredentials } from '../../../src/talos/config/talosconfig.ts'
import { testCluster } from '../test-cluster.ts'
import {
  answer,
  answerStage,
  answerStream,
  answerVersion,
  Refusal,
  startTestNode,
  type TestNode,
} from '../test-node.ts'

const address = '127.0.0.1'
let secrets: SecretsBundle
let credentials: TalosCredentials
let node: TestNode
let streamed = 0
let released = false

beforeAll(async () => {
  ;({ secrets, credentials } = await testCluster())
  node = await startTestNode({
    secrets,
    answers: [
      answerVersion(() => 'v1.13.0'),
      answerStage(() => 'running'),
      answer(MachineService.method.bootstrap, () => {
        throw new Refusal(status.FAILED_PRECONDITION, 'bootstrap is not available yet')
      }),
      answer(MachineService.method.reboot, () => new Promise(() => undefined)),
      answer(MachineService.method.etcdStatus, () => ({
        messages: [{ metadata: { error: 'etcd is gone' } }],
      })),
      answerStream(MachineService.method.read, async function* ({ path }) {
        if (path === '/missing') throw new Refusal(status.NOT_FOUND, 'no such file')
        try {
          for (;;) {
            yield { bytes: Buffer.from(`part ${++streamed}\n`) }
            if (path === '/short' && streamed >= 3) return
            await new Promise((resolve) => setTimeout(resolve, 1))
          }
        } finally {
          released = true
        }
      }),
    ],
  })
})
afterAll(() => node[Symbol.asyncDispose]())

test('the port of the Talos API is 50000', () => {
  expect(talosPort).toBe(50_000)
})

describe('with the credentials of the cluster', () => {
  test('a node answers', async () => {
    using client = new TalosClient({ address, port: node.port, credentials })
    expect(await getVersion(client)).toEqual({ tag: 'v1.13.0', arch: 'amd64', platform: 'hcloud' })
    expect(await getMachineStatus(client)).toEqual({ stage: 'running', ready: true, unmet: [] })
  })

  test('a stream ends with its last answer', async () => {
    streamed = 0
    using client = new TalosClient({ address, port: node.port, credentials })
    expect(await readNodeFile(client, '/short')).toBe('part 1\npart 2\npart 3\n')
  })

  test('leaving a stream ends the call at the node too', async () => {
    streamed = 0
    released = false
    using client = new TalosClient({ address, port: node.port, credentials })
    for await (const { bytes } of client.stream(MachineService.method.read, { path: '/endless' })) {
      expect(Buffer.from(bytes).toString()).toBe('part 1\n')
      break
    }
    await expect.poll(() => released).toBe(true)
  })

  test('a refusal keeps its code, and is not worth a repetition', async () => {
    using client = new TalosClient({ address, port: node.port, credentials })
    const failure = await client.unary(MachineService.method.bootstrap, {}).catch((error) => error)
    expect(failure).toMatchObject({
      code: 'talos-refused',
      operation: 'call Bootstrap',
      target: `127.0.0.1:${node.port}`,
    })
    expect(failure.message).toContain('bootstrap is not available yet')
    expect(statusCode(failure)).toBe(status.FAILED_PRECONDITION)
    expect(isTransient(failure)).toBe(false)
    await expect(readNodeFile(client, '/missing')).rejects.toMatchObject({ code: 'talos-refused' })
  })

  test('a method that the node does not have is a refusal', async () => {
    using client = new TalosClient({ address, port: node.port, credentials })
    const failure = await client
      .unary(MachineService.method.serviceList, {})
      .catch((error) => error)
    expect(statusCode(failure)).toBe(status.UNIMPLEMENTED)
  })

  test('an error inside of an answer is one', async () => {
    using client = new TalosClient({ address, port: node.port, credentials })
    await expect(talosApi(client).machine.etcdStatus()).rejects.toThrow('etcd is gone')
  })

  test('a call that takes too long is unreachable', async () => {
    using client = new TalosClient({ address, port: node.port, credentials })
    const call = client.unary(MachineService.method.reboot, {}, { timeoutMs: 50 })
    const failure = await call.catch((error) => error)
    expect(failure).toMatchObject({ code: 'talos-unreachable' })
    expect(statusCode(failure)).toBe(status.DEADLINE_EXCEEDED)
    expect(isTransient(failure)).toBe(true)
  })

  test('an abort ends calls and streams with its reason', async () => {
    const stop = new AbortController()
    using client = new TalosClient({ address, port: node.port, credentials, signal: stop.signal })
    const call = client.unary(MachineService.method.reboot, {}).catch((error) => error)
    const stream = readNodeFile(client, '/endless').catch((error) => error)
    await expect.poll(() => streamed).toBeGreaterThan(1)
    const reason = new Error('interrupted')
    stop.abort(reason)
    expect(await call).toBe(reason)
    expect(await stream).toBe(reason)
    await expect(getVersion(client)).rejects.toBe(reason)
  })
})

describe('with the wrong identity', () => {
  test('a node of another cluster is not spoken with', async () => {
    const other = await testCluster()
    using client = new TalosClient({ address, port: node.port, credentials: other.credentials })
    await expect(getVersion(client)).rejects.toMatchObject({ code: 'talos-identity' })
  })

  test('nor is a node of this cluster that has another address', async () => {
    await using elsewhere = await startTestNode({
      secrets,
      certifiedFor: '127.9.9.9',
      answers: [answerVersion(() => 'v1.13.0')],
    })
    using client = new TalosClient({ address, port: elsewhere.port, credentials })
    await expect(getVersion(client)).rejects.toMatchObject({ code: 'talos-identity' })
    expect(elsewhere.calls).toEqual([])
  })

  test('a configured node turns away who shows no certificate', async () => {
    using client = new TalosClient({ address, port: node.port })
    await expect(getVersion(client)).rejects.toMatchObject({
      code: expect.stringMatching(/^talos-(refused|unreachable)$/),
    })
  })
})

test('a node in maintenance is spoken with unverified', async () => {
  await using fresh = await startTestNode({ answers: [answerStage(() => 'maintenance')] })
  using client = new TalosClient({ address, port: fresh.port })
  expect((await getMachineStatus(client))?.stage).toBe('maintenance')
})

test('a port where nobody listens is unreachable, and is found again when somebody does', async () => {
  const gone = await startTestNode({ secrets, answers: [] })
  const { port } = gone
  await gone[Symbol.asyncDispose]()
  using client = new TalosClient({ address, port, credentials })
  await expect(getVersion(client)).rejects.toMatchObject({ code: 'talos-unreachable' })
  await using _back = await startTestNode({
    secrets,
    port,
    answers: [answerVersion(() => 'v1.12.0')],
  })
  await expect
    .poll(() => getVersion(client).catch(() => undefined))
    .toMatchObject({
      tag: 'v1.12.0',
    })
})
