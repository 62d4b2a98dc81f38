import { createRegistry, isMessage, toJson } from '@bufbuild/protobuf'
import { DurationSchema } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EndedCall } from '../../../src/talos/api/call-hook.ts'
import { file_cluster_cluster } from '../../../src/talos/api/gen/cluster/cluster_pb.js'
import { file_common_common } from '../../../src/talos/api/gen/common/common_pb.js'
import { file_cosi_resource } from '../../../src/talos/api/gen/cosi/resource_pb.js'
import { file_cosi_state } from '../../../src/talos/api/gen/cosi/state_pb.js'
import { file_inspect_inspect } from '../../../src/talos/api/gen/inspect/inspect_pb.js'
import { file_machine_debug } from '../../../src/talos/api/gen/machine/debug_pb.js'
import { file_machine_image } from '../../../src/talos/api/gen/machine/image_pb.js'
import { file_machine_lifecycle } from '../../../src/talos/api/gen/machine/lifecycle_pb.js'
import {
  file_machine_machine,
  MachineService,
} from '../../../src/talos/api/gen/machine/machine_pb.js'
import { file_storage_storage } from '../../../src/talos/api/gen/storage/storage_pb.js'
import { file_time_time } from '../../../src/talos/api/gen/time/time_pb.js'
import { talosApi } from '../../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../../src/talos/api/talos-client.ts'
import { isTransient, talosStatus } from '../../../src/talos/api/talos-status.ts'
import { mintTalosCredentials } from '../../../src/talos/config/talosconfig.ts'
import { testPki } from '../../talos/pki-environment.ts'
import { testCluster } from '../../talos/test-cluster.ts'
import { type ApiServer, startApiServer } from './api-server.ts'
import { collect } from './collect.ts'
import { everyCall } from './every-call.ts'

const registry = createRegistry(
  file_machine_machine,
  file_machine_image,
  file_machine_lifecycle,
  file_machine_debug,
  file_cluster_cluster,
  file_inspect_inspect,
  file_storage_storage,
  file_time_time,
  file_common_common,
  file_cosi_resource,
  file_cosi_state,
  DurationSchema,
)

let server: ApiServer
let client: TalosClient
const headers: { 'x-test'?: string } = {}
const ended: EndedCall[] = []
beforeAll(async () => {
  const { secrets, credentials } = await testCluster()
  server = await startApiServer(secrets)
  client = new TalosClient({
    address: '127.0.0.1',
    port: server.port,
    credentials,
    hook: ({ setHeader }) => {
      if (headers['x-test']) setHeader('x-test', headers['x-test'])
      return (end) => ended.push(end)
    },
  })
})
afterAll(async () => {
  client.close()
  await server[Symbol.asyncDispose]()
})

/** Puts one call in a mode of the server. */
async function inMode<T>(mode: string, run: () => Promise<T>): Promise<T> {
  headers['x-test'] = mode
  try {
    return await run()
  } finally {
    delete headers['x-test']
  }
}

test('there is a function for every method, and a method for every function', () => {
  expect(Object.keys(everyCall(talosApi(client))).sort()).toEqual([...server.methods].sort())
})

test("every answer is understood as Talos's own code wrote it, to the last field", async () => {
  for (const [name, call] of Object.entries(everyCall(talosApi(client)))) {
    const came = call()
    const answers = came instanceof Promise ? [await came] : await collect(came)
    const recorded = await server.nextCall()
    expect(recorded.method).toBe(name)
    expect(recorded.unknown, `${name}: fields that Talos does not know`).toBe(0)
    const sent = recorded.answers.map((answer) => partOf(answer))
    const nothing = answers.every((answer) => answer === undefined)
    if (!nothing) expect(answers.map(asJson), name).toEqual(sent)
  }
})

/** Of answers with one message per node: that of the node. */
function partOf(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('messages' in answer)) return answer
  return Array.isArray(answer.messages) ? answer.messages[0] : answer
}

function asJson(answer: unknown): unknown {
  if (!isMessage(answer)) throw new Error(`no message: ${String(answer)}`)
  const schema = registry.getMessage(answer.$typeName)
  if (!schema) throw new Error(`no schema for ${answer.$typeName}`)
  return toJson(schema, answer, { registry })
}

test('what is asked arrives as Talos reads it', async () => {
  const lines: string[] = []
  for (const [name, call] of Object.entries(everyCall(talosApi(client)))) {
    const came = call()
    if (came instanceof Promise) await came
    else await collect(came)
    const { requests } = await server.nextCall()
    lines.push(name, ...requests.map((request) => `  ${JSON.stringify(request)}`))
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('requests.txt')
})

describe('a stream', () => {
  test('ends on the node when its reader leaves, and leaves nothing behind', async () => {
    await inMode('endless', async () => {
      for await (const { bytes } of talosApi(client).machine.dmesg({ follow: true })) {
        expect(bytes.length).toBeGreaterThan(0)
        break
      }
    })
    expect(await server.nextCall()).toMatchObject({
      method: 'machine.MachineService/Dmesg',
      cancelled: true,
    })
    expect(ended.at(-1)).toMatchObject({ code: 1, received: 1 })
  })

  test('ends on the node when it is aborted, with the reason of that', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const follow = async () => {
      const options = { signal: stop.signal }
      for await (const _ of talosApi(client).machine.events({}, options)) stop.abort(reason)
    }
    await expect(inMode('endless', follow)).rejects.toBe(reason)
    expect(await server.nextCall()).toMatchObject({ cancelled: true })
  })

  test('that sends ends when what it sends fails, with that failure', async () => {
    const failure = new Error('the file ended early')
    async function* pieces() {
      yield Uint8Array.of(1)
      throw failure
    }
    await expect(talosApi(client).machine.etcdRecover(pieces())).rejects.toBe(failure)
    await server.nextCall()
  })
})

test('a failure tells what is wrong, whether it may pass, and when to ask again', async () => {
  const failure = await inMode('fail', () =>
    talosApi(client)
      .machine.version()
      .catch((e) => e),
  )
  expect(failure).toMatchObject({ code: 'talos-refused' })
  expect(failure.message).toContain('too much at once; id: is not a service')
  expect(isTransient(failure)).toBe(true)
  expect(talosStatus(failure)?.details).toEqual({
    sentences: ['id: is not a service'],
    retryAfterMs: 1_500,
    reason: 'BUSY (talos.dev)',
  })
  await server.nextCall()
})

test('several nodes answer one call, each for itself', async () => {
  const nodes = ['10.0.0.1', '10.0.0.9', '10.0.0.2']
  const { messages } = await client.unary(MachineService.method.version, {}, { nodes })
  const answered = messages.filter(({ metadata }) => !metadata?.error)
  expect(answered.map(({ metadata, version }) => [metadata?.hostname, version?.tag])).toEqual([
    ['10.0.0.1', 'tag ü'],
    ['10.0.0.2', 'tag ü'],
  ])
  await server.nextCall()
  const logs = client.stream(MachineService.method.logs, { id: 'etcd' }, { nodes })
  const pieces = await collect(logs)
  expect(pieces.map(({ metadata }) => [metadata?.hostname, Boolean(metadata?.error)])).toEqual([
    ['10.0.0.1', false],
    ['10.0.0.9', true],
    ['10.0.0.2', false],
  ])
  await server.nextCall()
})

test('a node can be asked through another', async () => {
  await talosApi(client).machine.version({ node: '10.0.0.5' })
  expect((await server.nextCall()).header).toMatchObject({ node: '10.0.0.5' })
})

test.for([['os:reader'], ['os:operator'], ['os:etcd:backup'], ['os:admin', 'os:reader']] as const)(
  'credentials of %s are known for what they are',
  async (roles) => {
    const { secrets } = await testCluster()
    await using other = await startApiServer(secrets)
    const credentials = await mintTalosCredentials(secrets, { roles, hours: 1 }, testPki)
    using reader = new TalosClient({ address: '127.0.0.1', port: other.port, credentials })
    await talosApi(reader).machine.version()
    expect((await other.nextCall()).roles).toEqual(roles)
  },
)

test('a server of another cluster is not spoken with', async () => {
  const { secrets } = await testCluster()
  await using other = await startApiServer(secrets)
  const { credentials } = await testCluster()
  using stranger = new TalosClient({ address: '127.0.0.1', port: other.port, credentials })
  await expect(talosApi(stranger).machine.version()).rejects.toMatchObject({
    code: 'talos-identity',
  })
})
