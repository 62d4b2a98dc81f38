import type { EtcdMember } from '../../kubeadm/cluster/etcd-member.ts'
import { isClusterError } from '../../lib/cluster-error.ts'
import type { PhaseProgress } from '../../lib/progress.ts'
import { waitFor } from '../../lib/wait-for.ts'
import type { HostsReach } from '../../run/kubeadm/hosts-reach.ts'
import type { RunContext } from '../../run/run-context.ts'
import type { StateRecorder } from '../../run/state-recorder.ts'

const withinMs = 10 * 60_000

/** Names of control planes that are known to be off, and are not expected to answer. */
export type AwayHosts = ReadonlySet<string>

const nobody: AwayHosts = new Set()

/** Why etcd is not healthy with these control planes; undefined where it is. */
function unhealthyMembers(
  members: readonly EtcdMember[],
  names: readonly string[],
  away: AwayHosts,
): string | undefined {
  const missing = names.find((name) => !members.some((member) => member.name === name))
  if (missing !== undefined) return `etcd has no member of ${missing}`
  const learner = members.find(({ isLearner }) => isLearner)
  if (learner) return `the member of ${learner.name || learner.id} has no vote yet`
  const silent = members.find(({ isHealthy, name }) => isHealthy === false && !away.has(name))
  return silent && `the member of ${silent.name || silent.id} does not answer`
}

/** Why etcd is not healthy with the control planes that the run knows; also where nobody can be asked. */
export async function etcdProblem(
  reach: HostsReach,
  away: AwayHosts = nobody,
): Promise<string | undefined> {
  const { members } = await reach.members()
  const names = reach.controlPlanes.map(({ name }) => name)
  return unhealthyMembers(members, names, away)
}

export interface MembersWait {
  readonly context: Pick<RunContext, 'clock' | 'signal'>
  readonly reach: HostsReach
  readonly progress: PhaseProgress
}

/** Waits until each control plane has a member that votes and answers. Throws `wait-timeout`. */
export async function waitForMembers({ context, reach, progress }: MembersWait): Promise<void> {
  const { clock, signal } = context
  await waitFor(
    'etcd to be healthy',
    async () => {
      try {
        const reason = await etcdProblem(reach)
        return reason === undefined ? { done: undefined } : { pending: reason }
      } catch (error) {
        if (!isClusterError(error)) throw error
        return { pending: error.message }
      }
    },
    {
      clock,
      signal,
      everyMs: 2_000,
      withinMs,
      onPending: (reason) => progress.step(reason),
      hint: 'Look at the log of etcd on the control planes (crictl logs), then run again.',
    },
  )
}

/** Whether a member is of a host: one that has never started has no name, and the address of its host. */
export function isMemberOf(
  { name, peerUrls }: EtcdMember,
  host: { readonly name: string; readonly nodeIp: string },
): boolean {
  return name === host.name || peerUrls.some((url) => url.includes(`//${host.nodeIp}:`))
}

/** Takes a member out of etcd by another control plane than its own; that it goes is written down before. */
export async function removeEtcdMember(
  { id, name }: EtcdMember,
  owner: string,
  {
    recorder,
    reach,
    progress,
  }: {
    readonly recorder: StateRecorder
    readonly reach: HostsReach
    readonly progress: PhaseProgress
  },
): Promise<void> {
  progress.step(`${owner || name || id}: its member ${id} of etcd is removed`)
  recorder.record('Remove a member of etcd', (known) => known, {}, [
    {
      fact: 'member-removed',
      ...(owner !== '' && { node: owner }),
      detail: { member: id },
    },
  ])
  await recorder.flush()
  await reach.removeMember(id, owner)
}
