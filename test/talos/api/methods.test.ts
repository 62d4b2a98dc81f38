import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bytesOf } from '../../../src/lib/bytes-of.ts'
import { applyConfiguration } from '../../../src/talos/api/apply-configuration.ts'
import { checkClusterHealth } from '../../../src/talos/api/cluster-health.ts'
import { ClusterService } from '../../../src/talos/api/gen/cluster/cluster_pb.js'
import { State } from '../../../src/talos/api/gen/cosi/state_pb.js'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import { getResource, listResources } from '../../../src/talos/api/resources.ts'
import { talosApi } from '../../../src/talos/api/talos-api.ts'
import { TalosClient } from '../../../src/talos/api/talos-client.ts'
import { testCluster } from '../test-cluster.ts'
import { answer, answerStream, Refusal, startTestNode, type TestNode } from '../test-node.ts'

const { method } = MachineService
const extensions = { namespace: 'runtime', type: 'ExtensionStatuses.runtime.talos.dev' }
const asked: Record<string, unknown> = {}
let node: TestNode
let client: TalosClient

beforeAll(async () => {
  const { secrets, credentials } = await testCluster()
  node = await startTestNode({
    secrets,
    answers: [
      answer(method.applyConfiguration, (request) => {
        asked['apply'] = { mode: request.mode, dryRun: request.dryRun }
        return { messages: [{ mode: 2, warnings: ['w'], modeDetails: 'applied without a reboot' }] }
      }),
      answer(method.reset, ({ graceful, reboot, systemPartitionsToWipe }) => {
        const labels = systemPartitionsToWipe.map(({ label, wipe }) => [label, wipe])
        asked['reset'] = { graceful, reboot, labels }
        return { messages: [{}] }
      }),
      answerStream(method.copy, async function* ({ rootPath }) {
        if (rootPath === '/there') {
          yield { bytes: Uint8Array.of(1) }
          yield { bytes: Uint8Array.of(2) }
        } else {
          yield { metadata: { error: 'lstat /nothing: no such file or directory' } }
        }
      }),
      answer(method.etcdMemberList, ({ queryLocal }) => ({
        messages: [{ members: [{ id: 2n ** 63n + 1n, hostname: queryLocal ? 'local' : 'all' }] }],
      })),
      answer(method.etcdRemoveMemberByID, ({ memberId }) => {
        asked['remove'] = memberId
        return { messages: [{}] }
      }),
      answer(State.method.get, ({ namespace, type, id }) => {
        if (id !== '0') throw new Refusal(status.NOT_FOUND, 'resource does not exist')
        const metadata = { namespace, type, id, version: '7' }
        return { resource: { metadata, spec: { yamlSpec: 'metadata: {name: schematic}' } } }
      }),
      answerStream(State.method.list, async function* ({ type }) {
        for (const id of ['0', '1']) {
          yield {
            resource: { metadata: { type, id, version: '1' }, spec: { yamlSpec: `n: ${id}` } },
          }
        }
      }),
      answerStream(
        ClusterService.method.healthCheck,
        async function* ({ clusterInfo, waitTimeout }) {
          asked['health'] = { ...clusterInfo, seconds: waitTimeout?.seconds }
          yield { message: 'waiting for etcd to be healthy: OK' }
          yield { message: 'waiting for all nodes to finish boot sequence: demo-1: booting' }
          throw new Refusal(status.DEADLINE_EXCEEDED, 'context deadline exceeded')
        },
      ),
    ],
  })
  client = new TalosClient({ address: '127.0.0.1', port: node.port, credentials })
})
afterAll(async () => {
  client.close()
  await node[Symbol.asyncDispose]()
})

test('a config can be tried without effect', async () => {
  const applied = await applyConfiguration(client, 'machine: {}', {
    mode: 'no-reboot',
    dryRun: true,
  })
  expect(asked['apply']).toEqual({ mode: 2, dryRun: true })
  expect(applied).toEqual({
    warnings: ['w'],
    reboots: false,
    details: 'applied without a reboot',
  })
})

test('a reset wipes the partitions that are named', async () => {
  const partitions = ['STATE', 'EPHEMERAL']
  await talosApi(client).machine.reset({ graceful: true, reboot: true, partitions })
  expect(asked['reset']).toEqual({
    graceful: true,
    reboot: true,
    labels: [
      ['STATE', true],
      ['EPHEMERAL', true],
    ],
  })
})

test('what a piece says failed is thrown, and no empty file', async () => {
  const { machine } = talosApi(client)
  const pieces = await collect(bytesOf(machine.copy('/there')))
  expect(Buffer.concat(pieces)).toEqual(Buffer.of(1, 2))
  await expect(collect(machine.copy('/nothing'))).rejects.toMatchObject({
    code: 'talos-refused',
    message: expect.stringContaining('lstat /nothing: no such file or directory'),
  })
})

test('etcd members are known by ids that no number can hold', async () => {
  const { machine } = talosApi(client)
  const [member] = (await machine.etcdMemberList()).members
  expect(member).toMatchObject({ id: 9223372036854775809n, hostname: 'all' })
  expect((await machine.etcdMemberList({ local: true })).members[0]?.hostname).toBe('local')
  await machine.etcdRemoveMemberById(member?.id ?? 0n)
  expect(asked['remove']).toBe(9223372036854775809n)
})

test('a resource is its spec, and one that is not there is undefined', async () => {
  expect(await getResource(client, extensions, '0')).toEqual({
    id: '0',
    version: '7',
    spec: { metadata: { name: 'schematic' } },
  })
  expect(await getResource(client, extensions, '9')).toBeUndefined()
  expect(await listResources(client, extensions)).toEqual([
    { id: '0', version: '1', spec: { n: 0 } },
    { id: '1', version: '1', spec: { n: 1 } },
  ])
})

test('health is told line by line, and ends with what failed', async () => {
  const heard: [string, boolean][] = []
  const check = async () => {
    const query = { controlPlanes: ['10.0.64.11'], workers: ['10.0.64.21'], waitMs: 5_000 }
    for await (const { sentence, isTrue } of checkClusterHealth(talosApi(client), query)) {
      heard.push([sentence, isTrue])
    }
  }
  await expect(check()).rejects.toMatchObject({
    code: 'talos-refused',
    message: 'the cluster waits for all nodes to finish boot sequence: demo-1: booting',
  })
  expect(heard).toEqual([
    ['etcd to be healthy', true],
    ['all nodes to finish boot sequence', false],
  ])
  expect(asked['health']).toMatchObject({
    controlPlaneNodes: ['10.0.64.11'],
    workerNodes: ['10.0.64.21'],
    seconds: 5n,
  })
})

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of stream) all.push(each)
  return all
}
