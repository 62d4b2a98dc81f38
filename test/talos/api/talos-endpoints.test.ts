import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { given, renewed } from '../../../src/lib/renewed.ts'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import { talosApi } from '../../../src/talos/api/talos-api.ts'
import { TalosEndpoints } from '../../../src/talos/api/talos-endpoints.ts'
import { viaNode } from '../../../src/talos/api/via-node.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import {
  mintTalosCredentials,
  type TalosCredentials,
} from '../../../src/talos/config/talosconfig.ts'
import { testPki } from '../pki-environment.ts'
import { testCluster } from '../test-cluster.ts'
import {
  answer,
  answerStream,
  answerVersion,
  Refusal,
  startTestNode,
  type TestNode,
} from '../test-node.ts'

const address = '127.0.0.1'
const { method } = MachineService
let secrets: SecretsBundle
let credentials: TalosCredentials
const nodes: TestNode[] = []
beforeAll(async () => {
  ;({ secrets, credentials } = await testCluster())
})
afterAll(() => Promise.all(nodes.map((node) => node[Symbol.asyncDispose]())))

async function startNode(tag: string, port = 0): Promise<TestNode> {
  const node = await startTestNode({
    secrets,
    port,
    answers: [
      answerVersion(() => tag),
      answer(method.reboot, () => {
        throw new Refusal(status.UNAVAILABLE, 'going down')
      }),
      answerStream(method.dmesg, async function* () {
        for (;;) {
          yield { bytes: Uint8Array.of(1) }
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      }),
    ],
  })
  nodes.push(node)
  return node
}

const tagOf = async (caller: TalosEndpoints) =>
  (await talosApi(caller).machine.version()).version?.tag

const endpointsOf = (...ports: [number, ...number[]]) => {
  const [first, ...others] = ports.map((port) => ({ address, port }))
  if (!first) throw new Error('no endpoint')
  return [first, ...others] as const
}

describe('several endpoints', () => {
  test('are one: whichever can be connected with answers, and goes on answering', async () => {
    const [gone, second, third] = await Promise.all(
      ['one', 'two', 'three'].map((t) => startNode(t)),
    )
    if (!gone || !second || !third) throw new Error('no node')
    await gone[Symbol.asyncDispose]()
    using caller = new TalosEndpoints({
      endpoints: endpointsOf(gone.port, second.port, third.port),
      credentials: given(credentials),
      connectMs: 300,
    })
    expect(await tagOf(caller)).toBe('two')
    expect(await tagOf(caller)).toBe('two')
    await second[Symbol.asyncDispose]()
    await expect.poll(() => tagOf(caller).catch(() => undefined)).toBe('three')
  })

  test('that are all away fail as one does', async () => {
    const gone = await startNode('gone')
    await gone[Symbol.asyncDispose]()
    using caller = new TalosEndpoints({
      endpoints: endpointsOf(gone.port, gone.port),
      credentials: given(credentials),
      connectMs: 100,
    })
    await expect(tagOf(caller)).rejects.toMatchObject({ code: 'talos-unreachable' })
  })

  test('get what changes something once, and no other one gets it after them', async () => {
    const [first, second] = await Promise.all([startNode('one'), startNode('two')])
    using caller = new TalosEndpoints({
      endpoints: endpointsOf(first.port, second.port),
      credentials: given(credentials),
    })
    await expect(talosApi(caller).machine.reboot()).rejects.toThrow('going down')
    expect([...first.calls, ...second.calls]).toEqual(['Reboot'])
    // What comes next begins with another one.
    expect(await tagOf(caller)).toBe('two')
  })

  test('reach a node that none of them is', async () => {
    const node = await startNode('passed on')
    using caller = new TalosEndpoints({
      endpoints: endpointsOf(node.port),
      credentials: given(credentials),
    })
    const { version } = await talosApi(viaNode(caller, '10.0.0.7')).machine.version()
    expect(version?.tag).toBe('passed on')
    expect(node.headers.at(-1)).toEqual({ node: '10.0.0.7' })
  })
})

test('credentials are renewed before they end, and what still streams goes on', async () => {
  const node = await startNode('v1')
  let now = Date.now()
  let minted = 0
  const source = renewed({
    mint: () => {
      minted++
      return mintTalosCredentials(secrets, { roles: ['os:reader'], hours: 1 }, testPki)
    },
    lifeMs: 3_600_000,
    clock: { now: () => now, sleep: async () => undefined },
  })
  using caller = new TalosEndpoints({ endpoints: endpointsOf(node.port), credentials: source })
  const log = talosApi(caller).machine.dmesg({ follow: true }, { timeoutMs: 60_000 })
  expect((await log.next()).done).toBe(false)
  await tagOf(caller)
  expect(minted).toBe(1)
  now += 45 * 60_000
  expect(await tagOf(caller)).toBe('v1')
  expect(minted).toBe(2)
  expect((await log.next()).done).toBe(false)
  await log.return()
  expect(await tagOf(caller)).toBe('v1')
})

test('credentials that could not be minted are tried again', async () => {
  let fails = true
  const source = renewed({
    mint: async () => {
      if (fails) throw new Error('no secrets')
      return credentials
    },
    lifeMs: 60_000,
    clock: { now: () => 0, sleep: async () => undefined },
  })
  await expect(source.current()).rejects.toThrow('no secrets')
  fails = false
  expect(await source.current()).toBe(credentials)
})
