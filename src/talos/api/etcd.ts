import {
  type EtcdMember,
  EtcdMemberAlarm_AlarmType,
  type EtcdMemberStatus,
  MachineService,
} from './gen/machine/machine_pb.js'
import { onlyMessage } from './node-answers.ts'
import type { CallOptions, TalosCaller } from './talos-caller.ts'

const { method } = MachineService

/** The members of the node's etcd cluster. `local` asks the node's own etcd alone. */
export async function listEtcdMembers(
  client: TalosCaller,
  { local = false }: { local?: boolean } = {},
  options?: CallOptions,
): Promise<readonly EtcdMember[]> {
  const { messages } = await client.unary(method.etcdMemberList, { queryLocal: local }, options)
  return onlyMessage(messages, { method: 'EtcdMemberList', address: client.address }).members
}

/** How the node's own etcd member is; undefined when the node has none to speak of. */
export async function getEtcdStatus(
  client: TalosCaller,
  options?: CallOptions,
): Promise<EtcdMemberStatus | undefined> {
  const { messages } = await client.unary(method.etcdStatus, {}, options)
  return onlyMessage(messages, { method: 'EtcdStatus', address: client.address }).memberStatus
}

export interface EtcdAlarm {
  readonly memberId: bigint
  readonly kind: 'out of space' | 'corrupt'
}

/** The alarms that etcd raises; it refuses writes while there are any. */
export async function listEtcdAlarms(
  client: TalosCaller,
  options?: CallOptions,
): Promise<readonly EtcdAlarm[]> {
  const { messages } = await client.unary(method.etcdAlarmList, {}, options)
  return messages
    .flatMap(({ memberAlarms }) => memberAlarms)
    .filter(({ alarm }) => alarm !== EtcdMemberAlarm_AlarmType.NONE)
    .map(({ memberId, alarm }) => ({
      memberId,
      kind: alarm === EtcdMemberAlarm_AlarmType.CORRUPT ? 'corrupt' : 'out of space',
    }))
}

/** Hands the leadership to another member, if this node has it. */
export async function forfeitEtcdLeadership(
  client: TalosCaller,
  options?: CallOptions,
): Promise<void> {
  await client.unary(method.etcdForfeitLeadership, {}, options)
}

/** Makes the node's own member leave the cluster. */
export async function leaveEtcd(client: TalosCaller, options?: CallOptions): Promise<void> {
  await client.unary(method.etcdLeaveCluster, {}, { timeoutMs: 60_000, ...options })
}

/** Takes a member out by its id, through any healthy one: for a node that is gone. */
export async function removeEtcdMemberById(
  client: TalosCaller,
  memberId: bigint,
  options?: CallOptions,
): Promise<void> {
  await client.unary(method.etcdRemoveMemberByID, { memberId }, options)
}
