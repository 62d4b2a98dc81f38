import { isClusterError } from '../../../lib/cluster-error.ts'
import { etcdQuota } from '../../../planner/etcd-quota.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import { listEtcdAlarms } from '../../../talos/api/etcd-alarms.ts'
import type { EtcdMember, EtcdMemberStatus } from '../../../talos/api/gen/machine/machine_pb.js'
import { talosApi } from '../../../talos/api/talos-api.ts'
import { isTransient } from '../../../talos/api/talos-status.ts'
import { isMemberOf } from '../../../talos/etcd/etcd-member.ts'
import { type EtcdMemberFacts, judgeEtcdSpace } from '../../../talos/etcd/judge-etcd-space.ts'
import { wayBack } from './diagnose-servers.ts'
import type { Reached, ReachedNode } from './reach-nodes.ts'

/** What one control plane says of etcd. */
interface Heard extends EtcdMemberFacts {
  readonly status: EtcdMemberStatus
  /** Undefined where it cannot be asked without a quorum. */
  readonly members: readonly EtcdMember[] | undefined
}

interface Silent {
  readonly name: string
  readonly why: string
  /** The whole node, and not its etcd alone. */
  readonly isAway: boolean
}

/** etcd by every control plane that answers: its quorum, its members, its alarms, and the room that is left. */
export async function diagnoseEtcd(
  { view, access }: Reached,
  nodes: readonly ReachedNode[],
): Promise<Diagnosis[]> {
  const { generation } = view
  if (!generation?.inventory.bootstrapped) return []
  const controlPlanes = nodes.filter(({ role }) => role === 'control-plane')
  const answers = await Promise.all(controlPlanes.map((node) => ask(access, node)))
  const heard = answers.filter((answer) => 'status' in answer)
  const silent = answers.filter((answer) => 'why' in answer)
  const away = silent.filter(({ isAway }) => isAway)
  if (heard.length === 0 && away.length === silent.length) return [notLookedAt(away[0]?.why)]
  const led = heard.filter(({ status }) => status.leader !== 0n)
  // Those that were not heard may be led: without them a quorum is neither seen nor denied.
  if (led.length === 0 && away.length === 0) {
    const message = `etcd has no quorum: ${heard.length + silent.length} of its ${memberCount(view)} control planes run, and none of them sees a leader`
    return [problem('etcd', 'bad', message, wayBack(view))]
  }
  const members = led[0]?.members ?? []
  const space = judgeEtcdSpace(heard, etcdQuota(generation), nodeNames(members, view))
  const found = [
    ...(led.length === 0 ? [notLookedAt(away[0]?.why, 'the quorum of etcd')] : []),
    // Who does not answer at all is another look's finding.
    ...silent
      .filter(({ isAway }) => !isAway)
      .map(({ name, why }) =>
        problem('etcd', 'bad', `the etcd of ${name} does not answer: ${why}`, reboot(name)),
      ),
    ...heard
      .filter(({ status }) => status.leader === 0n)
      .map(({ name }) =>
        problem(
          'etcd',
          'bad',
          `the etcd of ${name} sees no leader`,
          led.length === 0 ? 'hcloud-talos talos etcd status' : reboot(name),
        ),
      ),
    ...memberFindings(members, view),
    ...space.map(({ severity, message, command }) => problem('etcd', severity, message, command)),
  ]
  return found.length > 0
    ? found
    : [passed('etcd', `${heard.length} of ${memberCount(view)} members answer, and one leads`)]
}

async function ask(
  access: Reached['access'],
  { name, address }: ReachedNode,
): Promise<Heard | Silent> {
  const client = access.talos(address)
  const { machine } = talosApi(client)
  try {
    const [{ memberStatus: status }, { members }, alarms] = await Promise.all([
      machine.etcdStatus(),
      machine.etcdMemberList().catch(withoutQuorum),
      listEtcdAlarms(client),
    ])
    if (!status) return { name, why: 'it reports no status', isAway: false }
    const { memberId, dbSize, dbSizeInUse } = status
    return { name, status, members, alarms, memberId, size: dbSize, inUse: dbSizeInUse }
  } catch (error) {
    if (!isClusterError(error)) throw error
    return { name, why: error.message, isAway: isTransient(error) }
  }
}

function withoutQuorum(error: unknown): { readonly members: undefined } {
  if (!isClusterError(error)) throw error
  return { members: undefined }
}

/** Nodes by the ids of their members, whether they answer or not. */
function nodeNames(
  members: readonly EtcdMember[],
  view: Reached['view'],
): ReadonlyMap<bigint, string> {
  return new Map(
    members.flatMap((member) => {
      const node = nodeOf(member, view)
      return node ? [[member.id, node.name] as const] : []
    }),
  )
}

function nodeOf(member: EtcdMember, { generation, nodes }: Reached['view']) {
  const known = [...(generation?.inventory.nodes ?? []), ...nodes]
  return known.find((one) => isMemberOf(member, one))
}

function memberFindings(members: readonly EtcdMember[], view: Reached['view']): Diagnosis[] {
  return members.flatMap((member) => {
    const { hostname, clientUrls, isLearner, peerUrls } = member
    const name = hostname || peerUrls[0] || 'without a name'
    const node = nodeOf(member, view)
    if (!node) {
      const message = `etcd has a member that is no control plane of this cluster: ${name}`
      return [problem('etcd', 'bad', message, 'hcloud-talos talos etcd members')]
    }
    const who = node.name
    if (clientUrls.length === 0) {
      return [problem('etcd', 'bad', `the etcd member ${who} never started`, 'hcloud-talos apply')]
    }
    return isLearner
      ? [
          problem(
            'etcd',
            'weak',
            `the etcd of ${who} is still learning and has no vote`,
            'hcloud-talos apply',
          ),
        ]
      : []
  })
}

function memberCount({ generation }: Reached['view']): number {
  const nodes = generation?.inventory.nodes ?? []
  return nodes.filter(({ role, configDigest }) => role === 'control-plane' && configDigest).length
}

function notLookedAt(why = 'no control plane runs', what = 'etcd'): Diagnosis {
  return problem(
    'etcd',
    'unknown',
    `${what} was not looked at: ${why}`,
    'List the address of this machine in firewall.talosApi, then run `hcloud-talos apply`.',
  )
}

function reboot(name: string): string {
  return `hcloud-talos talos reboot --nodes ${name}`
}
