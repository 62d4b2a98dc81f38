import type { MessageInitShape } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type EtcdMemberSchema,
  MachineService,
} from '../../../src/talos/api/gen/machine/machine_pb.js'
import { TalosClient } from '../../../src/talos/api/talos-client.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import type { TalosCredentials } from '../../../src/talos/config/talosconfig.ts'
import type { ControlPlane } from '../../../src/talos/control-plane.ts'
import { leaveEtcdCluster } from '../../../src/talos/etcd/leave-etcd.ts'
import { createPatientClock } from '../../commands/patient-clock.ts'
import { testCluster } from '../test-cluster.ts'
import { answer, Refusal, startTestNode } from '../test-node.ts'

const {
  etcdMemberList,
  etcdStatus,
  etcdRemoveMemberByID,
  etcdForfeitLeadership,
  etcdLeaveCluster,
} = MachineService.method

let secrets: SecretsBundle
let credentials: TalosCredentials
const cleanup = new AsyncDisposableStack()
beforeAll(async () => {
  ;({ secrets, credentials } = await testCluster())
  return () => cleanup.disposeAsync()
})

/** The members that the others list, and what was called. */
let listed: bigint[]
let calls: string[]
beforeEach(() => {
  listed = [1n, 2n, 3n]
  calls = []
})

interface Behaviour {
  /** Whether its own etcd answers. */
  readonly alive: boolean
  readonly leads: boolean
  /** What becomes of a call to leave, or to be removed. */
  readonly removal: 'done' | 'refused' | 'done, and the answer lost'
  /** Members are known by their addresses alone, as before they have started. */
  readonly unstarted: boolean
}

/** Three control planes, of which the third is to leave. */
async function cluster(changes: Partial<Behaviour> = {}) {
  const behaviour: Behaviour = {
    alive: true,
    leads: false,
    removal: 'done',
    unstarted: false,
    ...changes,
  }
  const members = (): MessageInitShape<typeof EtcdMemberSchema>[] =>
    listed.map((id) => ({
      id,
      hostname: behaviour.unstarted ? '' : `cp-${id}`,
      peerUrls: [`https://10.0.64.${id}:2380`],
    }))
  const remove = (id: bigint) => {
    if (behaviour.removal === 'refused') throw new Refusal(status.UNKNOWN, 'unhealthy cluster')
    listed = listed.filter((other) => other !== id)
    if (behaviour.removal !== 'done')
      throw new Refusal(status.UNAVAILABLE, 'the connection is lost')
    return { messages: [{}] }
  }
  const control = async (id: bigint) => {
    const node = await startTestNode({
      secrets,
      answers: [
        answer(etcdMemberList, () => ({ messages: [{ members: members() }] })),
        answer(etcdStatus, () => {
          if (!behaviour.alive && id === 3n) throw new Refusal(status.UNAVAILABLE, 'no etcd here')
          const leader = behaviour.leads ? 3n : 1n
          return { messages: [{ memberStatus: { memberId: id, leader } }] }
        }),
        answer(etcdForfeitLeadership, () => {
          calls.push(`cp-${id} forfeits`)
          return { messages: [{}] }
        }),
        answer(etcdLeaveCluster, () => {
          calls.push(`cp-${id} leaves`)
          return remove(id)
        }),
        answer(etcdRemoveMemberByID, ({ memberId }) => {
          calls.push(`cp-${id} removes ${memberId}`)
          return remove(memberId)
        }),
      ],
    })
    cleanup.use(node)
    const client = new TalosClient({ address: '127.0.0.1', port: node.port, credentials })
    cleanup.use(client)
    return { name: `cp-${id}`, client }
  }
  const [first, second, third] = [await control(1n), await control(2n), await control(3n)]
  return {
    staying: [first, second] satisfies [ControlPlane, ControlPlane],
    leaving: { name: 'cp-3', privateIp: '10.0.64.3' },
    client: third.client,
    clock: createPatientClock(),
  }
}

test('one that answers leaves by itself, and everybody who stays says so', async () => {
  expect(await leaveEtcdCluster(await cluster())).toBe(3n)
  expect(calls).toEqual(['cp-3 leaves'])
  expect(listed).toEqual([1n, 2n])
})

test('the leader hands the leadership on before', async () => {
  await leaveEtcdCluster(await cluster({ leads: true }))
  expect(calls).toEqual(['cp-3 forfeits', 'cp-3 leaves'])
})

test('one that is no member any more is asked for nothing', async () => {
  listed = [1n, 2n]
  expect(await leaveEtcdCluster(await cluster())).toBeUndefined()
  expect(calls).toEqual([])
})

test('an answer that was lost is looked up in the list', async () => {
  await leaveEtcdCluster(await cluster({ removal: 'done, and the answer lost' }))
  expect(calls).toEqual(['cp-3 leaves'])
})

test('one whose etcd stays silent is removed by its id, after some patience', async () => {
  const options = await cluster({ alive: false })
  const begun = options.clock.now()
  expect(await leaveEtcdCluster(options)).toBe(3n)
  expect(calls).toEqual(['cp-1 removes 3'])
  expect(options.clock.now() - begun).toBeGreaterThan(25_000)
})

test('one whose server is gone is removed at once, known by its address alone if need be', async () => {
  const { client: _, ...options } = await cluster({ unstarted: true })
  expect(await leaveEtcdCluster(options)).toBe(3n)
  expect(calls).toEqual(['cp-1 removes 3'])
  expect(listed).toEqual([1n, 2n])
})

test.for([true, false])('as long as it is listed it has not left (alive: %s)', async (alive) => {
  const options = await cluster({ removal: 'refused', alive })
  await expect(leaveEtcdCluster({ ...options, withinMs: 40_000 })).rejects.toMatchObject({
    code: 'etcd-leave-failed',
    target: 'cp-3',
    message: expect.stringContaining('unhealthy cluster'),
  })
  expect(listed).toEqual([1n, 2n, 3n])
})
