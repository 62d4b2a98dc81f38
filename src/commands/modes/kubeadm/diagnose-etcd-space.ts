import { type Diagnosis, problem } from '../../../run/diagnosis.ts'
import type { HeardMember } from './diagnose-host-etcd.ts'

/** What etcd takes for itself where it does not say what it may take, in bytes. */
const defaultQuota = 2_147_483_648
/** From which share of the quota on somebody should know. */
const warnShare = 0.8
const mebibyte = 1_048_576

const makeRoom =
  'Run `etcdctl defrag` in the etcd container of each control plane, one after the other, and then `etcdctl alarm disarm`.'

/** The alarms of etcd, and the room that is left in it. Pure. */
export function diagnoseEtcdSpace(members: readonly HeardMember[]): Diagnosis[] {
  const names = new Map(members.map(({ name, status }) => [status.id, name]))
  const alarms = new Map(
    members
      .flatMap(({ status }) => status.alarms)
      .map((alarm) => [`${alarm.member} ${alarm.kind}`, alarm]),
  )
  const raised = [...alarms.values()].map(({ member, kind }) => {
    const name = names.get(member)
    const who = name ?? `the member ${member}`
    return kind === 'corrupt'
      ? problem(
          'etcd',
          'bad',
          `etcd raises an alarm: the database of ${who} is corrupt`,
          name === undefined ? 'hcloud-talos plan' : `hcloud-talos apply --replace ${name}`,
        )
      : problem(
          'etcd',
          'bad',
          `etcd raises an alarm: ${who} is out of space, and no write is taken`,
          makeRoom,
        )
  })
  if (raised.length > 0) return raised
  const [fullest] = members.toSorted((a, b) => b.status.size - a.status.size)
  if (fullest === undefined) return []
  const { size, quota = defaultQuota } = fullest.status
  if (size < quota * warnShare) return []
  const message = `the database of ${fullest.name} takes ${inMebibytes(size)} of its quota of ${inMebibytes(quota)}`
  return [problem('etcd', 'weak', message, makeRoom)]
}

function inMebibytes(bytes: number): string {
  return `${Math.floor(bytes / mebibyte)} MiB`
}
