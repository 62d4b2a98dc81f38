import { formatBytes } from '../../lib/format-bytes.ts'
import {
  type EtcdMemberAlarm,
  EtcdMemberAlarm_AlarmType,
} from '../../talos/api/gen/machine/machine_pb.js'
import type { TalosApi } from '../../talos/api/talos-api.ts'
import { type TalosReport, tableOf } from './report.ts'

/** Who is a member of etcd, as one control plane knows it. */
export async function etcdMembersReport({ machine }: TalosApi): Promise<TalosReport> {
  const { members } = await machine.etcdMemberList()
  return tableOf(
    members,
    [
      ['ID', ({ id }) => memberName(id)],
      ['HOSTNAME', ({ hostname }) => hostname],
      ['PEER URLS', ({ peerUrls }) => peerUrls.join(',')],
      ['CLIENT URLS', ({ clientUrls }) => clientUrls.join(',')],
      ['LEARNER', ({ isLearner }) => isLearner],
    ],
    ({ id, hostname, peerUrls, clientUrls, isLearner }) => ({
      id: memberName(id),
      hostname,
      peerUrls,
      clientUrls,
      learner: isLearner,
    }),
  )
}

/** How the member of one control plane is. */
export async function etcdStatusReport({ machine }: TalosApi): Promise<TalosReport> {
  const { memberStatus: member } = await machine.etcdStatus()
  return tableOf(
    member ? [member] : [],
    [
      ['MEMBER', ({ memberId }) => memberName(memberId)],
      ['DB SIZE', ({ dbSize }) => formatBytes(dbSize)],
      [
        'IN USE',
        ({ dbSize, dbSizeInUse }) =>
          `${formatBytes(dbSizeInUse)} (${percent(dbSizeInUse, dbSize)})`,
      ],
      ['LEADER', ({ leader }) => memberName(leader)],
      ['RAFT INDEX', ({ raftIndex }) => raftIndex],
      ['RAFT TERM', ({ raftTerm }) => raftTerm],
      ['APPLIED', ({ raftAppliedIndex }) => raftAppliedIndex],
      ['LEARNER', ({ isLearner }) => isLearner],
      ['PROTOCOL', ({ protocolVersion }) => protocolVersion],
      ['STORAGE', ({ storageVersion }) => storageVersion],
      ['ERRORS', ({ errors }) => errors.join('; ')],
    ],
    ({
      memberId,
      dbSize,
      dbSizeInUse,
      leader,
      raftIndex,
      raftTerm,
      raftAppliedIndex,
      ...rest
    }) => ({
      member: memberName(memberId),
      dbSize: Number(dbSize),
      dbSizeInUse: Number(dbSizeInUse),
      leader: memberName(leader),
      raftIndex: String(raftIndex),
      raftTerm: String(raftTerm),
      raftAppliedIndex: String(raftAppliedIndex),
      learner: rest.isLearner,
      protocolVersion: rest.protocolVersion,
      storageVersion: rest.storageVersion,
      errors: rest.errors,
    }),
  )
}

/** The alarms that etcd raises, of every member that has one. */
export async function etcdAlarmsReport({ machine }: TalosApi): Promise<TalosReport> {
  return alarmsReport((await machine.etcdAlarmList()).memberAlarms)
}

/** Lowers the alarms; those that were lowered. */
export async function disarmEtcdAlarms({ machine }: TalosApi): Promise<TalosReport> {
  return alarmsReport((await machine.etcdAlarmDisarm()).memberAlarms)
}

function alarmsReport(alarms: readonly EtcdMemberAlarm[]): TalosReport {
  const raised = alarms.filter(({ alarm }) => alarm !== EtcdMemberAlarm_AlarmType.NONE)
  return tableOf(
    raised,
    [
      ['MEMBER', ({ memberId }) => memberName(memberId)],
      ['ALARM', ({ alarm }) => EtcdMemberAlarm_AlarmType[alarm] ?? alarm],
    ],
    ({ memberId, alarm }) => ({
      member: memberName(memberId),
      alarm: EtcdMemberAlarm_AlarmType[alarm] ?? alarm,
    }),
  )
}

/** How long a member may take to write its database again, in milliseconds: it blocks meanwhile. */
const defragmentMs = 5 * 60_000

/** Writes a member's database again; what it took before and takes now. */
export async function defragmentEtcd({ machine }: TalosApi): Promise<TalosReport> {
  const before = (await machine.etcdStatus()).memberStatus?.dbSize ?? 0n
  await machine.etcdDefragment({ timeoutMs: defragmentMs })
  const after = (await machine.etcdStatus()).memberStatus?.dbSize ?? 0n
  return tableOf(
    [{ before: Number(before), after: Number(after) }],
    [
      ['BEFORE', (each) => formatBytes(each.before)],
      ['AFTER', (each) => formatBytes(each.after)],
    ],
    (each) => each,
  )
}

/** As etcd and talosctl write it: 16 hex digits. */
function memberName(id: bigint): string {
  return id.toString(16).padStart(16, '0')
}

function percent(part: bigint, whole: bigint): string {
  return whole === 0n ? '0 %' : `${Math.round((Number(part) / Number(whole)) * 100)} %`
}
