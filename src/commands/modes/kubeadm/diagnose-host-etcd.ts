import { type EtcdStatus, readEtcdStatus } from '../../../kubeadm/cluster/etcd-status.ts'
import { memberScript } from '../../../kubeadm/cluster/member-script.ts'
import { describeMember, strayMembers } from '../../../kubeadm/cluster/stray-members.ts'
import { isClusterError } from '../../../lib/cluster-error.ts'
import { foundIn } from '../../../planner/kubeadm/found-in-view.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import { scriptOutput } from '../../../run/kubeadm/host-script.ts'
import type { ReachedControlPlane } from '../../../run/kubeadm/hosts-reach.ts'
import { diagnoseEtcdSpace } from './diagnose-etcd-space.ts'

/** What the member on one control plane says. */
export interface HeardMember {
  readonly name: string
  readonly status: EtcdStatus
}

interface SilentMember {
  readonly name: string
  readonly why: string
}

const askMs = 30_000

/** etcd by every control plane that is reached: its quorum, its members, its alarms, and the room that is left. */
export async function diagnoseHostEtcd(
  view: HostsView,
  controlPlanes: readonly ReachedControlPlane[],
  expected: readonly string[],
): Promise<Diagnosis[]> {
  const answers = await Promise.all(controlPlanes.map(ask))
  const heard = answers.filter((answer) => 'status' in answer)
  const silent = answers.filter((answer) => 'why' in answer)
  const away = expected.filter((name) => !controlPlanes.some((one) => one.name === name))
  const led = heard.filter(({ status }) => status.hasLeader)
  if (controlPlanes.length === 0) return [notLookedAt('etcd', away)]
  if (led.length === 0 && away.length === 0) {
    const message = `etcd has no quorum: ${heard.length} of its ${expected.length} members answer, and none of them sees a leader`
    return [problem('etcd', 'bad', message, restoreQuorum)]
  }
  const found = [
    // Those that were not reached may be led: without them a quorum is neither seen nor denied.
    ...(led.length === 0 ? [notLookedAt('the quorum of etcd', away)] : []),
    ...silent.map(({ name, why }) =>
      problem('etcd', 'bad', `the etcd of ${name} does not answer: ${why}`, lookAt(name)),
    ),
    ...heard
      .filter(({ status }) => !status.hasLeader)
      .map(({ name }) =>
        problem(
          'etcd',
          'bad',
          `the etcd of ${name} sees no leader`,
          led.length === 0 ? restoreQuorum : lookAt(name),
        ),
      ),
    ...memberFindings(view, expected),
    ...diagnoseEtcdSpace(heard),
  ]
  return found.length > 0
    ? found
    : [passed('etcd', `${heard.length} of ${expected.length} members answer, and one leads`)]
}

async function ask({ name, remote }: ReachedControlPlane): Promise<HeardMember | SilentMember> {
  try {
    const text = await scriptOutput(await remote(), {
      title: 'ask etcd for its status',
      text: memberScript,
      args: ['status'],
      withinMs: askMs,
      isRepeatable: true,
    })
    return { name, status: readEtcdStatus(text) }
  } catch (error) {
    if (!isClusterError(error) || error.code === 'interrupted') throw error
    return { name, why: error.evidence?.at(-1) ?? error.message }
  }
}

/** As etcd lists them; of one that is down another look says more. */
function memberFindings(view: HostsView, expected: readonly string[]): Diagnosis[] {
  const members = view.cluster?.members
  if (members === undefined) return []
  const { removable, foreign } = strayMembers(foundIn(view), new Set(expected))
  const strays = new Set([...removable, ...foreign])
  return [
    ...removable.map((member) =>
      problem(
        'etcd',
        'bad',
        `etcd has a member ${describeMember(member)} of no control plane of this cluster`,
        'hcloud-talos apply',
      ),
    ),
    ...foreign.map((member) =>
      problem(
        'etcd',
        'bad',
        `etcd has a member ${describeMember(member)} of no host that is known, and it answers`,
        'Add its host to hosts, or remove the member by hand.',
      ),
    ),
    ...members
      .filter((member) => member.isLearner && !strays.has(member))
      .map(({ name }) =>
        problem(
          'etcd',
          'weak',
          `the etcd of ${name} is still learning and has no vote`,
          'hcloud-talos apply',
        ),
      ),
    ...expected
      .filter((name) => members.every((member) => member.name !== name))
      .map((name) =>
        problem(
          'etcd',
          'bad',
          `${name} is a control plane, and etcd has no member of it`,
          `hcloud-talos apply --replace ${name}`,
        ),
      ),
  ]
}

const restoreQuorum =
  'Bring the hosts of its control planes back; where most of them are gone for good, run `hcloud-talos restore --snapshot <your newest snapshot>`.'

function lookAt(name: string): string {
  return `Look at etcd on ${name} (crictl ps -a, crictl logs); where it cannot be fixed there, run \`hcloud-talos apply --replace ${name}\`.`
}

function notLookedAt(what: string, away: readonly string[]): Diagnosis {
  const why = away.length === 0 ? 'there is no control plane' : `${away.join(', ')} is not reached`
  return problem(
    'etcd',
    'unknown',
    `${what} was not looked at: ${why}`,
    'Bring the hosts of its control planes back, then run `hcloud-talos doctor` again.',
  )
}
