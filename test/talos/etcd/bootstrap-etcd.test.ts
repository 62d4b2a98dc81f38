import { status } from '@grpc/grpc-js'
import { beforeAll, describe, expect, test } from 'vitest'
import { createClock } from '../../../src/lib/clock.ts'
import { State } from '../../../src/talos/api/gen/cosi/state_pb.js'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import { TalosClient } from '../../../src/talos/api/talos-client.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import type { TalosCredentials } from '../../../src/talos/config/talosconfig.ts'
import type { ControlPlane } from '../../../src/talos/control-plane.ts'
import { bootstrapEtcd } from '../../../src/talos/etcd/bootstrap-etcd.ts'
import { testCluster } from '../test-cluster.ts'
import { answer, Refusal, startTestNode, type TestNode } from '../test-node.ts'

const { serviceList, etcdMemberList, bootstrap } = MachineService.method
let secrets: SecretsBundle
let credentials: TalosCredentials
beforeAll(async () => {
  ;({ secrets, credentials } = await testCluster())
})

/** The etcd of one control plane, as far as somebody who bootstraps can see. */
interface EtcdState {
  member: boolean
  serviceState: string
  lists: 'members' | 'nothing' | 'failure'
  onBootstrap: (state: EtcdState) => void
}

async function controlPlane(changes: Partial<EtcdState> = {}): Promise<{
  node: TestNode
  controlPlane: ControlPlane & { readonly client: TalosClient }
}> {
  const state: EtcdState = {
    member: false,
    serviceState: 'Preparing',
    lists: 'failure',
    onBootstrap: (own) => {
      own.member = true
    },
    ...changes,
  }
  const node = await startTestNode({
    secrets,
    answers: [
      answer(serviceList, () => ({
        messages: [
          { services: [{ id: 'etcd', state: state.serviceState, health: { healthy: true } }] },
        ],
      })),
      answer(State.method.get, () => {
        if (!state.member) throw new Refusal(status.NOT_FOUND, 'resource does not exist')
        return { resource: { metadata: { id: 'local' }, spec: { yamlSpec: 'memberID: abc' } } }
      }),
      answer(etcdMemberList, () => {
        if (state.lists === 'failure') throw new Refusal(status.UNAVAILABLE, 'connection refused')
        return { messages: [{ members: state.lists === 'members' ? [{ id: 1n }] : [] }] }
      }),
      answer(bootstrap, () => {
        state.onBootstrap(state)
        return { messages: [{}] }
      }),
    ],
  })
  const client = new TalosClient({ address: '127.0.0.1', port: node.port, credentials })
  return { node, controlPlane: { name: `node-${node.port}`, client } }
}

type Plane = Awaited<ReturnType<typeof controlPlane>>

function run(...planes: Plane[]) {
  // Twenty seconds of the wall: a busy machine takes its time for handshakes.
  return runWithin(2_000_000, planes)
}

async function runWithin(withinMs: number, planes: Plane[]) {
  const [first, ...others] = planes.map((plane) => plane.controlPlane)
  if (first === undefined) throw new Error('no control plane')
  try {
    return await bootstrapEtcd({
      controlPlanes: [first, ...others],
      clock: createClock(100),
      withinMs,
    })
  } finally {
    for (const { node, controlPlane } of planes) {
      controlPlane.client.close()
      await node[Symbol.asyncDispose]()
    }
  }
}

function bootstraps({ node }: { node: TestNode }): number {
  return node.calls.filter((name) => name === 'Bootstrap').length
}

test('etcd is created on the first control plane, once', async () => {
  const [a, b, c] = [await controlPlane(), await controlPlane(), await controlPlane()]
  expect(await run(a, b, c)).toBe('bootstrapped')
  expect([a, b, c].map(bootstraps)).toEqual([1, 0, 0])
})

test('a node that is not ready for it yet is asked again', async () => {
  let refusals = 2
  const plane = await controlPlane({
    onBootstrap: (state) => {
      if (refusals-- > 0) throw new Refusal(status.FAILED_PRECONDITION, 'time is not in sync yet')
      state.member = true
    },
  })
  expect(await run(plane)).toBe('bootstrapped')
  expect(bootstraps(plane)).toBe(3)
})

test('an answer that was lost after its effect is understood', async () => {
  const plane = await controlPlane({
    onBootstrap: (state) => {
      state.member = true
      throw new Refusal(status.UNAVAILABLE, 'connection reset')
    },
  })
  await run(plane)
  expect(bootstraps(plane)).toBe(1)
})

test('a data directory that is not empty means that it was done before', async () => {
  const plane = await controlPlane({
    onBootstrap: (state) => {
      state.member = true
      throw new Refusal(status.ALREADY_EXISTS, 'etcd data directory is not empty')
    },
  })
  expect(await run(plane)).toBe('bootstrapped')
  expect(bootstraps(plane)).toBe(1)
})

describe('nothing is created', () => {
  const signs: Record<string, Partial<EtcdState>> = {
    'is a member': { member: true },
    'runs etcd': { serviceState: 'Running' },
    'lists members': { lists: 'members' },
  }
  test.for(Object.keys(signs))('when any control plane %s', async (name) => {
    const [a, b, c] = [await controlPlane(), await controlPlane(), await controlPlane(signs[name])]
    expect(await run(a, b, c)).toBe('already bootstrapped')
    expect([a, b, c].map(bootstraps)).toEqual([0, 0, 0])
  })

  test('as long as one control plane cannot be asked', async () => {
    const [a, gone] = [await controlPlane(), await controlPlane()]
    await gone.node[Symbol.asyncDispose]()
    await expect(runWithin(20_000, [a, gone])).rejects.toMatchObject({ code: 'wait-timeout' })
    expect(bootstraps(a)).toBe(0)
  })

  test('when a control plane is of another cluster', async () => {
    const a = await controlPlane()
    const other = await testCluster()
    const foreign = new TalosClient({
      address: '127.0.0.1',
      port: a.node.port,
      credentials: other.credentials,
    })
    const planes = [a, { ...a, controlPlane: { name: 'foreign', client: foreign } }]
    await expect(run(...planes)).rejects.toMatchObject({ code: 'talos-identity' })
    expect(bootstraps(a)).toBe(0)
  })
})
