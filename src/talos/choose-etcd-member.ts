import { ClusterError } from '../lib/cluster-error.ts'
import { talosApi } from './api/talos-api.ts'
import type { ControlPlane } from './control-plane.ts'

interface Candidate {
  readonly controlPlane: ControlPlane
  readonly applied: bigint
  readonly leads: boolean
}

/**
 * The control plane whose etcd a snapshot is best taken of: a member with a vote that sees a leader and
 * reports no errors; of those the one that is furthest ahead, and rather not the leader, which has work
 * enough. Throws `etcd-unhealthy` where there is none.
 */
export async function chooseEtcdMember(
  controlPlanes: readonly ControlPlane[],
): Promise<ControlPlane> {
  const answers = await Promise.all(controlPlanes.map(ask))
  const candidates = answers.filter((answer) => typeof answer !== 'string')
  const [best] = candidates.sort(
    (a, b) => Number(b.applied - a.applied) || Number(a.leads) - Number(b.leads),
  )
  if (best) return best.controlPlane
  const problems = answers.filter((answer) => typeof answer === 'string')
  throw new ClusterError(
    'etcd-unhealthy',
    `no control plane has an etcd that a snapshot could be taken of: ${problems.join('; ') || 'there is none'}`,
    {
      operation: 'take a snapshot',
      hint: 'mend etcd first; where its quorum is lost for good, restore an earlier snapshot',
    },
  )
}

async function ask(controlPlane: ControlPlane): Promise<Candidate | string> {
  const { name, client } = controlPlane
  try {
    const { memberStatus: status } = await talosApi(client).machine.etcdStatus()
    if (status === undefined) return `${name} tells no status`
    if (status.leader === 0n) return `${name} sees no leader`
    if (status.isLearner) return `${name} is still learning`
    const [error] = status.errors
    if (error !== undefined) return `${name} reports: ${error}`
    const leads = status.leader === status.memberId
    return { controlPlane, applied: status.raftAppliedIndex, leads }
  } catch (error) {
    client.throwIfAborted()
    return `${name} does not answer: ${error instanceof Error ? error.message : error}`
  }
}
