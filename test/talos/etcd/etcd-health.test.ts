import type { MessageInitShape } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import { afterEach, beforeAll, expect, test } from 'vitest'
import {
  EtcdMemberAlarm_AlarmType,
  type EtcdMemberSchema,
  type EtcdMemberStatusSchema,
  MachineService,
} from '../../../src/talos/api/gen/machine/machine_pb.js'
import { TalosClient } from '../../../src/talos/api/talos-client.ts'
import type { SecretsBundle } from '../../../src/talos/config/secrets-bundle.ts'
import type { TalosCredentials } from '../../../src/talos/config/talosconfig.ts'
import type { ControlPlane } from '../../../src/talos/control-plane.ts'
import { etcdProblems } from '../../../src/talos/etcd/etcd-health.ts'
import { removeEtcdMember } from '../../../src/talos/etcd/remove-etcd-member.ts'
import { waitForHealthyEtcd } from '../../../src/talos/etcd/wait-for-healthy-etcd.ts'
import { createPatientClock } from '../../commands/patient-clock.ts'
import { testCluster } from '../test-cluster.ts'
import { answer, Refusal, startTestNode } from '../test-node.ts'

const { etcdMemberList, etcdStatus, etcdAlarmList, etcdRemoveMemberByID } = MachineService.method
type Member = MessageInitShape<typeof EtcdMemberSchema>
type Status = MessageInitShape<typeof EtcdMemberStatusSchema>

let secrets: SecretsBundle
let credentials: TalosCredentials
const cleanup = new AsyncDisposableStack()
beforeAll(async () => {
  ;({ secrets, credentials } = await testCluster())
  return () => cleanup.disposeAsync()
})
afterEach(() => {
  removed.length = 0
})

const members: Member[] = [1n, 2n, 3n].map((id) => ({
  id,
  hostname: `demo-control-plane-${id}`,
  clientUrls: [`https://10.0.64.${id}:2379`],
}))
const removed: bigint[] = []

interface Etcd {
  members: Member[] | 'failure'
  status: Status
  alarms: { memberId: bigint; alarm: EtcdMemberAlarm_AlarmType }[]
  /** Whether a removal takes effect. */
  removes: boolean
}

async function plane(id: bigint, changes: Partial<Etcd> = {}): Promise<ControlPlane> {
  const etcd = {
    members,
    status: { memberId: id, leader: 1n },
    alarms: [],
    removes: true,
    ...changes,
  }
  const list = () => {
    if (etcd.members === 'failure') throw new Refusal(status.UNAVAILABLE, 'etcd is down')
    return etcd.members.filter((member) => !removed.includes(member.id ?? 0n))
  }
  const node = await startTestNode({
    secrets,
    answers: [
      answer(etcdMemberList, () => ({ messages: [{ members: list() }] })),
      answer(etcdStatus, () => ({ messages: [{ memberStatus: etcd.status }] })),
      answer(etcdAlarmList, () => ({ messages: [{ memberAlarms: etcd.alarms }] })),
      answer(etcdRemoveMemberByID, ({ memberId }) => {
        if (etcd.removes) removed.push(memberId)
        return { messages: [{}] }
      }),
    ],
  })
  cleanup.use(node)
  const client = new TalosClient({ address: '127.0.0.1', port: node.port, credentials })
  cleanup.use(client)
  return { name: `demo-control-plane-${id}`, client }
}

test('three members that agree are well', async () => {
  expect(await etcdProblems([await plane(1n), await plane(2n), await plane(3n)])).toEqual([])
})

test('a single one is well too', async () => {
  const [own = {}] = members
  expect(await etcdProblems([await plane(1n, { members: [own] })])).toEqual([])
})

test('with a leader that is not among those asked, they cannot do without it', async () => {
  const [own = {}, spared = {}] = members
  const besides = [{ name: 'demo-control-plane-2', privateIp: '10.0.64.2' }]
  const asked = async (leader: bigint) => {
    const status = { memberId: 1n, leader }
    const one = await plane(1n, { members: [own, spared], status })
    return etcdProblems([one], besides, { leads: true })
  }
  expect(await asked(1n)).toEqual([])
  expect(await asked(2n)).toEqual([
    'the leader that the etcd of demo-control-plane-1 sees is none of those that are asked',
  ])
})

test('a control plane that leads is not spared, however long it does not answer', async () => {
  const [own = {}, spared = {}] = members
  const pair = [own, spared]
  const leads = async (leader: bigint) => {
    const sees = { memberId: 1n, leader }
    const controlPlanes = [
      await plane(1n, { members: pair, status: sees }),
      await plane(2n, { members: 'failure' }),
    ]
    return waitForHealthyEtcd(controlPlanes, {
      clock: createPatientClock(),
      signal: new AbortController().signal,
      withinMs: 60_000,
      onPending: () => {},
      spared: { name: 'demo-control-plane-2', privateIp: '10.0.64.2' },
    })
  }
  await leads(1n)
  await expect(leads(2n)).rejects.toMatchObject({ code: 'wait-timeout' })
})

const broken: Record<string, [Partial<Etcd>, RegExp]> = {
  'that does not answer': [
    { members: 'failure' },
    /the etcd of demo-control-plane-3 does not answer/,
  ],
  'that is a learner': [
    { status: { memberId: 3n, leader: 1n, isLearner: true } },
    /demo-control-plane-3 is still learning/,
  ],
  'that sees no leader': [{ status: { memberId: 3n, leader: 0n } }, /sees no leader/],
  'that sees another leader': [{ status: { memberId: 3n, leader: 2n } }, /agree on who leads/],
  'that reports errors': [
    { status: { memberId: 3n, leader: 1n, errors: ['NOSPACE'] } },
    /demo-control-plane-3 reports: NOSPACE/,
  ],
  'that is in nobody’s list': [{ status: { memberId: 9n, leader: 1n } }, /not in its own list/],
  'that sees fewer members': [{ members: members.slice(0, 2) }, /agree on who is a member/],
  'that raises an alarm': [
    { alarms: [{ memberId: 3n, alarm: EtcdMemberAlarm_AlarmType.CORRUPT }] },
    /alarm: 0000000000000003 is corrupt/,
  ],
}
test.for(Object.keys(broken))('a member %s is a problem', async (name) => {
  const [changes, sentence] = broken[name] ?? [{}, /./]
  const problems = await etcdProblems([await plane(1n), await plane(2n), await plane(3n, changes)])
  expect(problems).toContainEqual(expect.stringMatching(sentence))
})

test('a member more than control planes, or one that never started, is a problem', async () => {
  const more = [...members, { id: 4n, hostname: 'gone' }]
  const planes = await Promise.all([1n, 2n, 3n].map((id) => plane(id, { members: more })))
  expect(await etcdProblems(planes)).toEqual([
    'etcd has 4 members, and the cluster 3 control planes',
    'the etcd member gone has not started or has no vote',
  ])
})

test('a member less than control planes is a problem', async () => {
  const planes = await Promise.all(
    [1n, 2n, 3n].map((id) =>
      plane(id, { members: members.filter((member) => member.id === id || member.id !== 3n) }),
    ),
  )
  expect(await etcdProblems(planes)).toContain(
    'etcd has 2 members, and the cluster 3 control planes',
  )
})

test('members of nodes that come or go may be there or not, in any state', async () => {
  const gone = { id: 4n, hostname: 'gone' }
  const learner = { id: 5n, hostname: '', peerUrls: ['https://10.0.64.5:2380'], isLearner: true }
  const more = [...members, gone, learner]
  const planes = await Promise.all([1n, 2n, 3n].map((id) => plane(id, { members: more })))
  const besides = [
    { name: 'gone', privateIp: '10.0.64.4' },
    { name: 'demo-control-plane-5', privateIp: '10.0.64.5' },
    { name: 'demo-control-plane-6', privateIp: '10.0.64.6' },
  ]
  expect(await etcdProblems(planes, besides)).toEqual([])
  expect(await etcdProblems(planes, besides.slice(0, 1))).toEqual([
    'etcd has 4 members, and the cluster 3 control planes',
    'the etcd member 0000000000000005 has not started or has no vote',
  ])
})

test('a member is removed by its id, and a second time is no failure', async () => {
  const staying = await plane(1n)
  expect(await removeEtcdMember([staying], 3n)).toBe(true)
  expect(removed).toEqual([3n])
  expect(await removeEtcdMember([staying], 3n)).toBe(false)
  expect(removed).toEqual([3n])
})

test('a member is removed through the next control plane where the first one is away', async () => {
  const away = await plane(1n, { members: 'failure' })
  expect(await removeEtcdMember([away, await plane(2n)], 3n)).toBe(true)
  expect(removed).toEqual([3n])
})

test('no member is removed when the others would be no majority', async () => {
  const [one = {}] = members
  const weak = [one, { id: 2n, hostname: 'down' }, { id: 3n, hostname: 'down' }]
  const staying = await plane(1n, { members: weak })
  await expect(removeEtcdMember([staying], 3n)).rejects.toMatchObject({ code: 'etcd-unhealthy' })
  expect(removed).toEqual([])
})

test('half of the members do not take the other half out', async () => {
  const [one = {}] = members
  for (const others of [1, 3]) {
    const down = Array.from({ length: others }, (_, index) => ({
      id: BigInt(index + 2),
      hostname: 'down',
      clientUrls: index === 0 && others > 1 ? ['https://10.0.64.2:2379'] : [],
    }))
    const staying = await plane(1n, { members: [one, ...down] })
    const leaving = BigInt(others + 1)
    await expect(removeEtcdMember([staying], leaving)).rejects.toMatchObject({
      code: 'etcd-unhealthy',
    })
  }
  expect(removed).toEqual([])
})

test('a removal without effect, and a list that cannot be read, fail closed', async () => {
  await expect(removeEtcdMember([await plane(1n, { removes: false })], 3n)).rejects.toMatchObject({
    code: 'etcd-unhealthy',
  })
  await expect(
    removeEtcdMember([await plane(1n, { members: 'failure' })], 3n),
  ).rejects.toMatchObject({ code: 'talos-unreachable' })
})
