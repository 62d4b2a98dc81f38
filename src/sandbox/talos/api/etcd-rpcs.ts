import { status } from '@grpc/grpc-js'
import {
  EtcdMemberAlarm_AlarmType,
  MachineService,
} from '../../../talos/api/gen/machine/machine_pb.js'
import type { ClusterContent } from '../../kubernetes/cluster-content.ts'
import { type Etcd, EtcdRefused, memberNotFound, noLeader } from '../etcd.ts'
import { type EtcdData, snapshotKey } from '../etcd-service.ts'
import { contentOf, isCompleteSnapshot, readSnapshot, writeSnapshot } from '../etcd-snapshot.ts'
import { judgeAct, judgeMemberRemoval } from '../judge-acts.ts'
import type { TalosNode } from '../talos-node.ts'
import { atLeast } from '../talos-version.ts'
import { requireControlPlane } from './require-control-plane.ts'
import { clientStream, type Rpc, RpcError, serverStream, unary } from './rpc.ts'

const { method } = MachineService

/** How much of a snapshot a node sends at once, in bytes. */
const chunkSize = 32 << 10

export const etcdRpcs: readonly Rpc[] = [
  unary(method.bootstrap, async ({ recoverEtcd, recoverSkipHashCheck }, call) => {
    const { node } = call
    await judgeAct(call, recoverEtcd ? 'recover' : 'bootstrap')
    bootstrap(node, recoverEtcd, recoverSkipHashCheck)
    return { messages: [{}] }
  }),
  unary(method.etcdMemberList, ({ queryLocal }, { node }) => {
    requireControlPlane(node, 'member list')
    const etcd = queryLocal ? localEtcd(node).etcd : anyEtcd(node)
    if (!etcd.quorum) throw new RpcError(status.UNAVAILABLE, noLeader)
    const members = [...etcd.members.values()].map((member) => ({
      id: member.id,
      hostname: member.hostname,
      peerUrls: [member.peerUrl],
      clientUrls: member.hostname === '' ? [] : [member.clientUrl],
      isLearner: member.learner,
    }))
    return { messages: [{ legacyMembers: members.map(({ hostname }) => hostname), members }] }
  }),
  unary(method.etcdStatus, (_request, { node }) => {
    requireControlPlane(node, 'etcd status')
    return { messages: [{ memberStatus: memberStatus(node, localEtcd(node)) }] }
  }),
  unary(method.etcdAlarmList, (_request, { node }) => {
    requireControlPlane(node, 'etcd alarm list')
    return { messages: [{ memberAlarms: alarmsOf(localEtcd(node).etcd) }] }
  }),
  unary(method.etcdAlarmDisarm, (_request, { node }) => {
    requireControlPlane(node, 'etcd alarm disarm')
    const { etcd } = localEtcd(node)
    const memberAlarms = alarmsOf(etcd)
    etcd.outOfSpace = undefined
    return { messages: [{ memberAlarms }] }
  }),
  unary(method.etcdDefragment, (_request, { node }) => {
    requireControlPlane(node, 'etcd defragment')
    const { database } = localEtcd(node).etcd
    database.size = database.inUse
    return { messages: [{}] }
  }),
  unary(method.etcdRemoveMemberByID, async ({ memberId }, call) => {
    const { node } = call
    requireControlPlane(node, 'etcd remove member')
    await judgeMemberRemoval(call, memberId)
    change(`failed to remove member ${memberId}`, () => anyEtcd(node).remove(memberId))
    return { messages: [{}] }
  }),
  unary(method.etcdLeaveCluster, async (_request, call) => {
    const { node } = call
    requireControlPlane(node, 'etcd leave')
    const { memberId } = localEtcd(node)
    await judgeMemberRemoval(call, memberId)
    change('failed to leave cluster', () => node.etcd.leave())
    return { messages: [{}] }
  }),
  unary(method.etcdForfeitLeadership, (_request, { node }) => {
    requireControlPlane(node, 'etcd forfeit leadership')
    const { etcd, memberId } = localEtcd(node)
    const leader = change('failed to forfeit leadership', () => etcd.forfeit(memberId))
    return { messages: [{ member: leader?.hostname ?? '' }] }
  }),
  serverStream(method.etcdSnapshot, async function* (_request, { node }) {
    requireControlPlane(node, 'etcd snapshot')
    const { etcd } = localEtcd(node)
    const bytes = writeSnapshot(etcd, contentOf(node, etcd))
    for (let at = 0; at < bytes.length; at += chunkSize) {
      yield { bytes: bytes.subarray(at, at + chunkSize) }
    }
  }),
  clientStream(method.etcdRecover, async (requests, { node }) => {
    requireControlPlane(node, 'etcd recover')
    const { state } = node.machine.disk
    const chunks: Uint8Array[] = []
    for await (const { bytes } of requests) {
      chunks.push(bytes)
      // It is written as it comes: an upload that breaks off leaves its beginning.
      state.set(snapshotKey, Buffer.concat(chunks))
    }
    return { messages: [{}] }
  }),
]

/** Facts: the checks of Talos 1.13, in its order; talos.md 4.3. */
function bootstrap(node: TalosNode, recover: boolean, skipHashCheck: boolean): void {
  if (node.config === undefined || node.stage.isGoingDown) {
    throw new RpcError(status.FAILED_PRECONDITION, 'bootstrap is not available yet')
  }
  requireControlPlane(node, 'bootstrap')
  if (node.state.faults.isStuckBooting(node.name)) {
    throw new RpcError(status.FAILED_PRECONDITION, 'time is not in sync yet')
  }
  if (node.etcd.data !== undefined) {
    throw new RpcError(status.ALREADY_EXISTS, 'etcd data directory is not empty')
  }
  node.etcd.bootstrap(recover ? recoverSnapshot(node, skipHashCheck) : undefined)
}

function recoverSnapshot(node: TalosNode, skipHashCheck: boolean): ClusterContent {
  const snapshot = node.machine.disk.state.get(snapshotKey)
  if (!(snapshot instanceof Uint8Array)) {
    const problem = 'failed to restore etcd: open /var/lib/etcd.snapshot: no such file or directory'
    throw new RpcError(status.UNKNOWN, problem)
  }
  if (!skipHashCheck && !isCompleteSnapshot(snapshot)) {
    const problem = 'failed to restore etcd: snapshot missing hash but --skip-hash-check=false'
    throw new RpcError(status.UNKNOWN, problem)
  }
  const content = readSnapshot(snapshot)
  if (content === undefined) {
    throw new RpcError(status.UNKNOWN, 'failed to restore etcd: invalid database')
  }
  return content
}

function memberStatus(node: TalosNode, { etcd, memberId }: EtcdData) {
  const version = atLeast(node.version, 11) ? '3.6' : '3.5'
  const { term, index } = etcd.raft
  return {
    memberId,
    protocolVersion: `${version}.9`,
    storageVersion: `${version}.0`,
    dbSize: etcd.database.size,
    dbSizeInUse: etcd.database.inUse,
    leader: etcd.leader ?? 0n,
    raftIndex: index,
    raftTerm: term,
    raftAppliedIndex: index,
    errors: [
      ...(etcd.leader === undefined ? [noLeader] : []),
      ...alarmsOf(etcd).map(({ memberId: id }) => `memberID:${id} alarm:NOSPACE `),
    ],
    isLearner: etcd.members.get(memberId)?.learner ?? false,
  }
}

function alarmsOf({ outOfSpace }: Etcd) {
  if (outOfSpace === undefined) return []
  return [{ memberId: outOfSpace, alarm: EtcdMemberAlarm_AlarmType.NOSPACE }]
}

/** The etcd that runs on this very node. */
function localEtcd(node: TalosNode): EtcdData {
  const { data } = node.etcd
  if (data === undefined || node.etcd.running === undefined) throw unreachable('127.0.0.1')
  if (!node.etcd.serves) {
    const problem = 'error building etcd client: context deadline exceeded'
    throw new RpcError(status.DEADLINE_EXCEEDED, problem)
  }
  return data
}

/** The etcd of the node's cluster, wherever it runs. */
function anyEtcd(node: TalosNode): Etcd {
  const own = node.etcd.data?.etcd
  const others = node.cluster === undefined ? [] : node.state.nodesOf(node.cluster)
  const running = others.flatMap(({ etcd }) => etcd.running ?? [])
  const etcd = own !== undefined && running.includes(own) ? own : running[0]
  if (etcd === undefined) throw unreachable(node.etcdAddress)
  return etcd
}

function unreachable(address: string): RpcError {
  return new RpcError(
    status.UNAVAILABLE,
    `connection error: desc = "transport: Error while dialing: dial tcp ${address}:2379: connect: connection refused"`,
  )
}

/** Puts etcd's refusals into the words and codes of the node. */
function change<T>(operation: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof EtcdRefused)) throw error
    if (error.message === memberNotFound) {
      throw new RpcError(status.NOT_FOUND, `${operation}: ${error.message}`)
    }
    throw new RpcError(status.UNKNOWN, `${operation}: ${error.message}`)
  }
}
