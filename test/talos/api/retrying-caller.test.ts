import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClock } from '../../../src/lib/clock.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import type { EndedCall } from '../../../src/talos/api/call-hook.ts'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import { retryingCaller } from '../../../src/talos/api/retrying-caller.ts'
import { talosApi } from '../../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../../src/talos/api/talos-client.ts'
import { testCluster } from '../test-cluster.ts'
import { answer, answerStream, Refusal, startTestNode, type TestNode } from '../test-node.ts'

const { method } = MachineService
const busy = new Refusal(status.RESOURCE_EXHAUSTED, 'too much at once')
const clock = createClock(100)
let failures: Error[] = []
let pieces: (number | Error)[] = []
let node: TestNode
let client: TalosClient
const ended: EndedCall[] = []

beforeAll(async () => {
  const { secrets, credentials } = await testCluster()
  const failOr = <T>(value: T) => {
    const failure = failures.shift()
    if (failure) throw failure
    return { messages: [value] }
  }
  node = await startTestNode({
    secrets,
    answers: [
      answer(method.version, () => failOr({ version: { tag: 'v1.13.0' } })),
      answer(method.reboot, () => failOr({ actorId: 'a' })),
      answerStream(method.dmesg, async function* () {
        for (const piece of pieces.splice(
          0,
          pieces.findIndex((p) => p instanceof Error) + 1 || 99,
        )) {
          if (piece instanceof Error) throw piece
          yield { bytes: Uint8Array.of(piece) }
        }
      }),
    ],
  })
  client = new TalosClient({
    address: '127.0.0.1',
    port: node.port,
    credentials,
    hook: () => (end) => ended.push(end),
  })
})
afterAll(async () => {
  client.close()
  await node[Symbol.asyncDispose]()
})

const caller = (more: { retries?: number; withinMs?: number } = {}) =>
  talosApi(retryingCaller(client, { clock, random: systemRandom, ...more })).machine

test('what only reads is asked again while the node is busy', async () => {
  failures = [busy, busy]
  ended.length = 0
  expect((await caller().version()).version?.tag).toBe('v1.13.0')
  expect(ended.map(({ code }) => code)).toEqual([8, 8, 0])
})

test('and no more often than was said', async () => {
  failures = [busy, busy, busy]
  await expect(caller({ retries: 1 }).version()).rejects.toThrow('too much at once')
  expect(failures).toHaveLength(1)
})

test('a refusal is final', async () => {
  failures = [new Refusal(status.PERMISSION_DENIED, 'not authorized'), busy]
  await expect(caller().version()).rejects.toThrow('not authorized')
  expect(failures).toHaveLength(1)
})

test('what changes something is never asked twice', async () => {
  failures = [busy, busy]
  await expect(caller().reboot()).rejects.toThrow('too much at once')
  expect(failures).toHaveLength(1)
})

test('a stream begins again as long as it has brought nothing, and not afterwards', async () => {
  pieces = [busy, 1, 2]
  const read: number[] = []
  for await (const { bytes } of caller().dmesg()) read.push(...bytes)
  expect(read).toEqual([1, 2])
  pieces = [3, busy, 4]
  const again = async () => {
    for await (const { bytes } of caller().dmesg()) read.push(...bytes)
  }
  await expect(again()).rejects.toThrow('too much at once')
  expect(read).toEqual([1, 2, 3])
})

test('an operation ends when its time is over, however many calls it has', async () => {
  failures = Array.from({ length: 50 }, () => busy)
  const machine = caller({ retries: 1_000, withinMs: 3_000 })
  await expect(machine.version()).rejects.toThrow('too much at once')
  expect(failures.length).toBeGreaterThan(0)
  await clock.sleep(3_000)
  await expect(machine.version()).rejects.toMatchObject({
    code: 'talos-unreachable',
    message: expect.stringContaining('the time for the whole operation is over'),
  })
})
