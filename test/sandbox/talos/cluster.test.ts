import { afterEach, expect, test } from 'vitest'
import type { Hardware } from '../../../src/sandbox/hardware.ts'
import { ClusterService } from '../../../src/talos/api/gen/cluster/cluster_pb.js'
import { MachineService } from '../../../src/talos/api/gen/machine/machine_pb.js'
import { createConfig } from './cluster-secrets.ts'
import { addressOf, TalosBed } from './talos-bed.ts'
import { collect, failureOf, type TalosClient } from './talos-client.ts'

const { method } = MachineService
const beds: TalosBed[] = []

afterEach(async () => {
  for (const bed of beds.splice(0)) {
    await bed.close()
    expect(bed.world.contractErrors).toEqual([])
  }
})

async function membersOf(client: TalosClient) {
  const { messages } = await client.unary(method.etcdMemberList, {})
  return messages[0]?.members ?? []
}

/** Three control plane nodes and a worker, bootstrapped on the first, and everything running. */
async function newCluster() {
  const bed = new TalosBed()
  beds.push(bed)
  const machines: Hardware[] = []
  for (const slot of [1, 2, 3]) machines.push(await bed.configured(`cp-${slot}`))
  machines.push(await bed.configured('worker-1', 'worker'))
  const [cp1, cp2, cp3, worker] = machines
  if (!cp1 || !cp2 || !cp3 || !worker) throw new Error('four machines were booted')
  await bed.client(cp1).unary(method.bootstrap, {})
  await bed.until('four nodes run', () => running(bed) === 4 && voters(bed) === 3)
  return { bed, cp1, cp2, cp3, worker }
}

function running(bed: TalosBed): number {
  return [...bed.talos.nodes].filter(({ stage }) => stage.name === 'running').length
}

function voters(bed: TalosBed): number {
  return bed.node('cp-1')?.etcd.running?.voters.length ?? 0
}

test('control planes join one after the other, and all of them serve Kubernetes', async () => {
  const { bed, cp1, cp2, cp3, worker } = await newCluster()
  const members = await membersOf(bed.client(cp2))
  expect(members.map(({ hostname }) => hostname).sort()).toEqual(['cp-1', 'cp-2', 'cp-3'])
  expect(members.every(({ isLearner }) => !isLearner)).toBe(true)
  const [kubernetes, ...others] = bed.kubernetes
  expect(others).toEqual([])
  expect([...(kubernetes?.nodes.keys() ?? [])].sort()).toEqual(['cp-1', 'cp-2', 'cp-3', 'worker-1'])
  const addresses = [cp1, cp2, cp3].map((machine) => `${machine.publicIp}:6443`)
  expect([...(kubernetes?.served ?? [])].sort()).toEqual(addresses.sort())
  expect(kubernetes?.nodes.get('worker-1')).toMatchObject({
    internalIp: worker.privateIps[0],
    roleControlPlane: false,
    taints: [],
  })
  const lines = await collect(bed.client(cp1).stream(ClusterService.method.healthCheck, {}))
  expect(lines.at(-1)?.message).toBe('waiting for all k8s nodes to report ready: OK')
})

test('a second bootstrap on another node is refused once that has joined', async () => {
  const { bed, cp2, worker } = await newCluster()
  expect(await failureOf(bed.client(cp2).unary(method.bootstrap, {}))).toBe(
    'ALREADY_EXISTS: etcd data directory is not empty',
  )
  expect(await failureOf(bed.client(worker).unary(method.bootstrap, {}))).toBe(
    'UNIMPLEMENTED: bootstrap is only available on control plane nodes',
  )
  const [cluster] = bed.talos.clusters.values()
  expect(cluster?.bootstraps.map(({ node }) => node)).toEqual(['cp-1'])
})

test('a second bootstrap before that makes a second cluster, and the world remembers it', async () => {
  const bed = new TalosBed()
  beds.push(bed)
  const first = await bed.configured('cp-1')
  await bed.client(first).unary(method.bootstrap, {})
  await first.powerOff()
  const second = await bed.configured('cp-2')
  await bed.client(second).unary(method.bootstrap, {})
  const [cluster] = bed.talos.clusters.values()
  expect(cluster?.bootstraps.map(({ node }) => node)).toEqual(['cp-1', 'cp-2'])
  await bed.until('two Kubernetes', () => bed.kubernetes.length === 2)
})

test('without quorum there is neither etcd nor Kubernetes, and both come back with it', async () => {
  const { bed, cp1, cp2, cp3 } = await newCluster()
  const admin = bed.client(cp1)
  await cp2.powerOff()
  expect(await membersOf(admin)).toHaveLength(3)
  expect(await failureOf(admin.unary(method.upgrade, { image: installer('v1.12.1') }))).toMatch(
    /is not healthy; all members must be healthy/,
  )
  await cp3.powerOff()
  expect(await failureOf(membersOf(admin))).toBe('UNAVAILABLE: etcdserver: no leader')
  const [status] = (await admin.unary(method.etcdStatus, {})).messages
  expect(status?.memberStatus).toMatchObject({ leader: 0n, errors: ['etcdserver: no leader'] })
  await bed.until('no Kubernetes', () => bed.kubernetes[0]?.served.size === 0)
  await cp3.powerOn()
  await bed.until('Kubernetes is back', () => bed.kubernetes[0]?.served.size === 2)
  expect(await membersOf(admin)).toHaveLength(3)
})

test('the leader hands over, leaves, and is gone from the list', async () => {
  const { bed, cp1, cp2 } = await newCluster()
  const admin = bed.client(cp1)
  const forfeited = await admin.unary(method.etcdForfeitLeadership, {})
  expect(forfeited.messages[0]?.member).toMatch(/^cp-[23]$/)
  await admin.unary(method.etcdLeaveCluster, {})
  const members = await membersOf(bed.client(cp2))
  expect(members.map(({ hostname }) => hostname).sort()).toEqual(['cp-2', 'cp-3'])
  const { messages } = await admin.unary(method.serviceList, {})
  expect(messages[0]?.services.find(({ id }) => id === 'etcd')?.state).toBe('Finished')
})

test('one that has left serves no Kubernetes any more, and joins again when it boots', async () => {
  const { bed, cp1, cp2, cp3 } = await newCluster()
  await bed.until('all serve it', () => bed.kubernetes[0]?.served.size === 3)
  await bed.client(cp3).unary(method.etcdLeaveCluster, {})
  await bed.until('two serve it', () => bed.kubernetes[0]?.served.size === 2)
  expect(bed.kubernetes[0]?.served).toEqual(
    new Set([cp1, cp2].map(({ publicIp }) => `${publicIp}:6443`)),
  )
  expect(await membersOf(bed.client(cp1))).toHaveLength(2)
  await cp3.powerCycle()
  await bed.until('it is back', () => bed.node('cp-3')?.etcd.state === 'running')
  expect(await membersOf(bed.client(cp1))).toHaveLength(3)
})

test('of two members one may leave, and of one none', async () => {
  const { bed, cp1, cp2, cp3 } = await newCluster()
  await bed.client(cp3).unary(method.etcdLeaveCluster, {})
  await bed.client(cp2).unary(method.etcdLeaveCluster, {})
  const last = bed.client(cp1)
  expect(await membersOf(last)).toHaveLength(1)
  expect(await failureOf(last.unary(method.etcdLeaveCluster, {}))).toMatch(
    /failed to leave cluster: .*not enough started members/,
  )
  expect(await failureOf(last.unary(method.etcdForfeitLeadership, {}))).toMatch(/only one member/)
})

test('of two members a dead one cannot be removed: the quorum is lost', async () => {
  const { bed, cp1, cp2, cp3 } = await newCluster()
  await bed.client(cp3).unary(method.etcdLeaveCluster, {})
  const admin = bed.client(cp1)
  const dead = (await membersOf(admin)).find(({ hostname }) => hostname === 'cp-2')?.id ?? 0n
  await cp2.powerOff()
  expect(await failureOf(admin.unary(method.etcdRemoveMemberByID, { memberId: dead }))).toMatch(
    /no leader/,
  )
})

test('a dead member is removed by its id, and a new machine at its address joins', async () => {
  const { bed, cp1, cp3 } = await newCluster()
  const admin = bed.client(cp1)
  const dead = (await membersOf(admin)).find(({ hostname }) => hostname === 'cp-3')?.id ?? 0n
  await cp3.powerOff()
  bed.world.machines.delete(cp3.serverId)
  await admin.unary(method.etcdRemoveMemberByID, { memberId: dead })
  expect(await failureOf(admin.unary(method.etcdRemoveMemberByID, { memberId: dead }))).toBe(
    `NOT_FOUND: failed to remove member ${dead}: etcdserver: member not found`,
  )
  const machine = await bed.boot('cp-3')
  machine.privateIps = [...cp3.privateIps]
  const data = Buffer.from(createConfig('controlplane', bed.secrets))
  await bed.anyone(machine).unary(method.applyConfiguration, { data, mode: 1 })
  await bed.until('it has joined', () => bed.node('cp-3')?.etcd.state === 'running')
  expect((await membersOf(admin)).map(({ hostname }) => hostname)).toContain('cp-3')
})

test('a new machine at the address of a member that is still listed cannot join', async () => {
  const { bed, cp3 } = await newCluster()
  await cp3.powerOff()
  bed.world.machines.delete(cp3.serverId)
  const machine = await bed.boot('cp-3')
  machine.privateIps = [...cp3.privateIps]
  const data = Buffer.from(createConfig('controlplane', bed.secrets))
  await bed.anyone(machine).unary(method.applyConfiguration, { data, mode: 1 })
  await bed.until('it has failed', () => bed.node('cp-3')?.etcd.state === 'failed')
  expect(bed.node('cp-3')?.etcd.message).toBe('member has already been bootstrapped')
})

test('a worker gets its certificate from a control plane node, and waits until there is one', async () => {
  const bed = new TalosBed()
  beds.push(bed)
  const worker = await bed.boot('worker-1')
  const data = Buffer.from(createConfig('worker', bed.secrets))
  await bed.anyone(worker).unary(method.applyConfiguration, { data, mode: 1 })
  await bed.until('it is configured', () => bed.node('worker-1') !== undefined)
  expect(bed.node('worker-1')?.api.listening).toBe(false)
  await bed.configured('cp-1')
  const { messages } = await bed.client(worker).unary(method.hostname, {})
  expect(messages[0]?.hostname).toBe('worker-1')
})

test('control planes forward calls to private addresses, workers refuse to', async () => {
  const { bed, cp1, worker } = await newCluster()
  const admin = bed.client(cp1)
  const [privateIp = ''] = worker.privateIps
  const hostnameAt = async (client: TalosClient, node: string) =>
    (await client.unary(method.hostname, {}, { node })).messages[0]?.hostname
  expect(await hostnameAt(admin, privateIp)).toBe('worker-1')
  expect(await hostnameAt(bed.client(worker), privateIp)).toBe('worker-1')
  expect(await failureOf(hostnameAt(bed.client(worker), '10.0.64.1'))).toBe(
    'PERMISSION_DENIED: no request forwarding',
  )
  expect(await failureOf(hostnameAt(admin, '10.0.64.200'))).toMatch(
    /^UNAVAILABLE: connection error/,
  )
})

test('a worker without a public address lives by its user data, and answers through a control plane', async () => {
  const bed = new TalosBed()
  beds.push(bed)
  const cp1 = await bed.configured('cp-1')
  const userData = createConfig('worker', bed.secrets)
  const worker = await bed.boot('worker-1', { userData, publicIp: false })
  const admin = bed.client(cp1)
  await admin.unary(method.bootstrap, {})
  await bed.until('both run', () => running(bed) === 2)
  const [node = ''] = worker.privateIps
  const { messages } = await admin.unary(method.hostname, {}, { node })
  expect(messages[0]?.hostname).toBe('worker-1')
  expect(bed.kubernetes[0]?.nodes.get('worker-1')?.externalIp).toBeUndefined()
})

test('a call to many nodes says whose each answer is, and whose none came', async () => {
  const { bed, cp1, cp2, worker } = await newCluster()
  const nodes = [cp2, worker].map(({ privateIps }) => privateIps[0]).concat('10.0.64.200')
  const { messages } = await bed.client(cp1).unary(method.hostname, {}, { nodes: nodes.join(',') })
  expect(messages.map(({ hostname, metadata }) => [metadata?.hostname, hostname])).toEqual([
    ['10.0.64.2', 'cp-2'],
    ['10.0.64.4', 'worker-1'],
    ['10.0.64.200', ''],
  ])
  expect(messages[2]?.metadata?.status?.code).toBe(14)
})

test('a snapshot restores etcd on a node whose data is gone', async () => {
  const bed = new TalosBed()
  beds.push(bed)
  const machine = await bed.configured('cp-1')
  const admin = bed.client(machine)
  expect(await failureOf(collect(admin.stream(method.etcdSnapshot, {})))).toMatch(/^UNAVAILABLE/)
  await admin.unary(method.bootstrap, {})
  await bed.until('etcd runs', () => bed.node('cp-1')?.etcd.state === 'running')
  const snapshot = await collect(admin.stream(method.etcdSnapshot, {}))

  const fresh = await bed.configured('cp-2')
  await machine.powerOff()
  const client = bed.client(fresh)
  expect(bed.node('cp-2')?.etcd.state).toMatch(/running|preparing/)
  await client.unary(method.reset, {
    reboot: true,
    systemPartitionsToWipe: [{ label: 'EPHEMERAL', wipe: true }],
  })
  await bed.until('it has rebooted', () => bed.node('cp-2')?.etcd.state === 'waiting')
  expect(await failureOf(client.unary(method.bootstrap, { recoverEtcd: true }))).toMatch(
    /no such file or directory/,
  )
  await client.upload(method.etcdRecover, [{ bytes: new Uint8Array([1]) }])
  expect(await failureOf(client.unary(method.bootstrap, { recoverEtcd: true }))).toMatch(
    /snapshot missing hash/,
  )
  await client.upload(method.etcdRecover, snapshot)
  await client.unary(method.bootstrap, { recoverEtcd: true })
  await bed.until('etcd runs', () => bed.node('cp-2')?.etcd.running?.quorum === true)
})

test('nodes of other secrets are another cluster', async () => {
  const { bed, cp1 } = await newCluster()
  const other = new TalosBed()
  beds.push(other)
  await expect(other.client(cp1).unary(method.hostname, {}, { deadlineMs: 500 })).rejects.toThrow(
    /UNAVAILABLE|DEADLINE/,
  )
  expect(addressOf(cp1)).toMatch(/^127\./)
  expect(bed.talos.clusters.size).toBe(1)
})

function installer(tag: string): string {
  return `factory.talos.dev/hcloud-installer/${'d'.repeat(64)}:${tag}`
}
