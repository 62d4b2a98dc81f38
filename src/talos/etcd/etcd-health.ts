import { listEtcdAlarms } from '../api/etcd-alarms.ts'
import type { EtcdMember, EtcdMemberStatus } from '../api/gen/machine/machine_pb.js'
import { talosApi } from '../api/talos-api.ts'
import type { TalosConnection } from '../api/talos-caller.ts'
import type { ControlPlane } from '../control-plane.ts'
import { isMemberOf, type MemberName } from './etcd-member.ts'

/** What one control plane says of etcd; a text where it could not be asked. */
interface Answer {
  readonly name: string
  readonly members: readonly EtcdMember[]
  readonly status: EtcdMemberStatus | undefined
  readonly alarms: readonly string[]
}

/**
 * Everything that is wrong with etcd, as sentences; none means that a member may be taken away for a
 * while. Whole is: every control plane answers, all see the same members, there are as many as control
 * planes, each is started and votes, one leader, no errors, no alarms. What cannot be asked counts as
 * broken. Members of the nodes `besides` may be there or not, and in any state: those that are about to
 * join, or to leave. With `leads` the leader must be one of those that were asked.
 */
export async function etcdProblems(
  controlPlanes: readonly ControlPlane[],
  besides: readonly MemberName[] = [],
  { leads = false }: { readonly leads?: boolean } = {},
): Promise<string[]> {
  const answers = await Promise.all(controlPlanes.map(ask))
  const problems = answers.filter((answer) => typeof answer === 'string')
  const heard = answers.filter((answer) => typeof answer !== 'string')
  return [
    ...problems,
    ...heard.flatMap(memberProblems),
    ...countProblems(heard, controlPlanes.length, besides),
    ...agreementProblems(heard),
    ...(leads ? leaderProblems(heard) : []),
    ...new Set(heard.flatMap(({ alarms }) => alarms)),
  ]
}

/** Whether a problem is nothing but a database that has reached its quota: etcd goes on, and takes no writes. */
export function isOutOfSpace(problem: string): boolean {
  return problem.endsWith(' is out of space')
}

/** What leads out of it, by our own commands. */
export const outOfSpaceHint =
  'Free room with `hcloud-talos talos etcd defrag`, or raise the quota (cluster.etcd.extraArgs, quota-backend-bytes, in a patch of the control planes) and apply; then `hcloud-talos talos etcd alarm disarm`.'

/** The alarms that etcd raises, as sentences. */
export async function etcdAlarms(client: TalosConnection): Promise<string[]> {
  const alarms = await listEtcdAlarms(client)
  return alarms.map(({ memberId, kind }) => `etcd raises an alarm: ${hex(memberId)} is ${kind}`)
}

async function ask({ name, client }: ControlPlane): Promise<Answer | string> {
  try {
    const { machine } = talosApi(client)
    const [{ members }, { memberStatus: status }, alarms] = await Promise.all([
      machine.etcdMemberList(),
      machine.etcdStatus(),
      etcdAlarms(client),
    ])
    return { name, members, status, alarms }
  } catch (error) {
    client.throwIfAborted()
    return `the etcd of ${name} does not answer: ${error instanceof Error ? error.message : error}`
  }
}

function memberProblems({ name, status, members, alarms }: Answer): string[] {
  if (status === undefined) return [`the etcd of ${name} reports no status`]
  const own = members.find(({ id }) => id === status.memberId)
  // What the alarm says already.
  const notReported = (error: string) => !(/nospace/i.test(error) && alarms.some(isOutOfSpace))
  return [
    ...(own === undefined ? [`the etcd of ${name} is not in its own list of members`] : []),
    ...(status.isLearner ? [`the etcd of ${name} is still learning and has no vote`] : []),
    ...(status.leader === 0n ? [`the etcd of ${name} sees no leader`] : []),
    ...status.errors.filter(notReported).map((error) => `the etcd of ${name} reports: ${error}`),
  ]
}

function countProblems(
  [first]: readonly Answer[],
  expected: number,
  besides: readonly MemberName[],
): string[] {
  if (first === undefined) return []
  const members = first.members.filter(
    (member) => !besides.some((node) => isMemberOf(member, node)),
  )
  const unstarted = members
    .filter(({ clientUrls, isLearner }) => clientUrls.length === 0 || isLearner)
    .map(
      ({ id, hostname }) => `the etcd member ${hostname || hex(id)} has not started or has no vote`,
    )
  const count = members.length
  return count === expected
    ? unstarted
    : [`etcd has ${count} members, and the cluster ${expected} control planes`, ...unstarted]
}

function agreementProblems(answers: readonly Answer[]): string[] {
  const lists = new Set(
    answers.map(({ members }) =>
      members
        .map(({ id }) => hex(id))
        .sort()
        .join(),
    ),
  )
  const leaders = new Set(answers.map(({ status }) => status?.leader ?? 0n))
  return [
    ...(lists.size > 1 ? ['the control planes do not agree on who is a member of etcd'] : []),
    ...(leaders.size > 1 ? ['the control planes do not agree on who leads etcd'] : []),
  ]
}

function leaderProblems(answers: readonly Answer[]): string[] {
  const own = new Set(answers.map(({ status }) => status?.memberId))
  return answers
    .filter(({ status }) => !own.has(status?.leader))
    .map(({ name }) => `the leader that the etcd of ${name} sees is none of those that are asked`)
}

/** As etcd's own tools write member ids. */
function hex(id: bigint): string {
  return id.toString(16).padStart(16, '0')
}
