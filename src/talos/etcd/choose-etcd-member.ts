import { ClusterError } from '../../lib/cluster-error.ts'
import type { ControlPlane } from '../control-plane.ts'
import { type EtcdSource, findEtcdSource } from './etcd-source.ts'

export interface ChosenEtcd {
  readonly source: EtcdSource
  /** What the others say that have nothing to read: without a quorum one of them may hold newer data. */
  readonly silent: readonly string[]
}

/**
 * The control plane whose etcd a snapshot is best taken of: a member with a vote that sees a leader and
 * reports no errors; of those the one that is furthest ahead, and rather not the leader, which has work
 * enough. Where none sees a leader, the survivor that is furthest ahead: a snapshot needs no quorum. Throws
 * `etcd-unhealthy` where there is nothing to read.
 */
export async function chooseEtcdMember(
  controlPlanes: readonly ControlPlane[],
): Promise<ChosenEtcd> {
  const answers = await Promise.all(controlPlanes.map(findEtcdSource))
  const found = answers.filter((answer) => 'kind' in answer)
  const sources = found.filter(({ unfit }) => unfit === undefined)
  const silent = [
    ...answers.flatMap((answer) => ('reason' in answer ? [answer.reason] : [])),
    ...found.flatMap(({ controlPlane: { name }, unfit }) => (unfit ? [`${name}: ${unfit}`] : [])),
  ]
  const [source] = sources.sort(compare)
  if (source) return { source, silent }
  throw new ClusterError(
    'etcd-unhealthy',
    `no control plane has an etcd that a snapshot could be taken of: ${silent.join('; ') || 'there is none'}`,
    {
      operation: 'take a snapshot',
      hint: 'Start the control planes that are off, and take the snapshot of what they hold; where all their data is lost, restore an earlier snapshot with `hcloud-talos restore`.',
    },
  )
}

const rank = { quorum: 0, alone: 1, file: 2 } as const

function compare(a: EtcdSource, b: EtcdSource): number {
  return (
    rank[a.kind] - rank[b.kind] ||
    Number(a.doubt !== undefined) - Number(b.doubt !== undefined) ||
    Number(b.progress - a.progress) ||
    Number(a.leads) - Number(b.leads)
  )
}
