import type { EtcdAlarm } from '../api/etcd-alarms.ts'

/** What a member says of its database, in bytes, and of the alarms of all. */
export interface EtcdMemberFacts {
  readonly name: string
  readonly memberId: bigint
  readonly size: bigint
  readonly inUse: bigint
  readonly alarms: readonly EtcdAlarm[]
}

export interface SpaceFinding {
  readonly severity: 'bad' | 'weak'
  readonly message: string
  /** The next command that leads out of it. */
  readonly command: string
}

/** From which share of the quota on, in percent, somebody should know. */
const warnPercent = 80n
const mebibyte = 1_048_576n

const defrag = 'hcloud-talos talos etcd defrag'
const raise =
  'Set a larger quota-backend-bytes under cluster.etcd.extraArgs in a patch of the control planes, and run `hcloud-talos apply`.'

/**
 * The alarms of etcd and the room that is left in it, with what comes next: first the room, then the alarm, since
 * an alarm that is lowered before there is room comes back. `nodes` names the members that do not answer, too. Pure.
 */
export function judgeEtcdSpace(
  members: readonly EtcdMemberFacts[],
  quota: bigint,
  nodes: ReadonlyMap<bigint, string> = new Map(),
): SpaceFinding[] {
  const names = new Map([
    ...nodes,
    ...members.map(({ memberId, name }) => [memberId, name] as const),
  ])
  const alarms = new Map(
    members.flatMap((member) =>
      member.alarms.map((alarm) => [`${alarm.memberId} ${alarm.kind}`, alarm] as const),
    ),
  )
  const [fullest] = members.toSorted((a, b) => Number(b.size - a.size))
  const isTight = fullest !== undefined && fullest.size * 100n >= quota * warnPercent
  const next = isTight ? makeRoom(fullest, quota) : 'hcloud-talos talos etcd alarm disarm'
  const raised = [...alarms.values()].map(({ memberId, kind }): SpaceFinding => {
    const node = names.get(memberId)
    const name = node ?? memberId.toString(16).padStart(16, '0')
    return kind === 'corrupt'
      ? {
          severity: 'bad',
          message: `etcd raises an alarm: the database of ${name} is corrupt`,
          command:
            node === undefined
              ? 'hcloud-talos talos etcd members'
              : `hcloud-talos apply --replace ${node}`,
        }
      : {
          severity: 'bad',
          message: `etcd raises an alarm: ${name} is out of space, and no write is taken`,
          command: next,
        }
  })
  if (!isTight || raised.length > 0) return raised
  const message = `the database of ${fullest.name} takes ${inMebibytes(fullest.size)} of its quota of ${inMebibytes(quota)}`
  return [{ severity: 'weak', message, command: makeRoom(fullest, quota) }]
}

/** What was deleted is given back by defragmenting; where that would not be enough only more room helps. */
function makeRoom({ size, inUse }: EtcdMemberFacts, quota: bigint): string {
  return inUse < size && inUse * 100n < quota * warnPercent ? defrag : raise
}

function inMebibytes(bytes: bigint): string {
  return `${bytes / mebibyte} MiB`
}
