import { formatPlace, parsePlace, placeBeside } from '../../backup/snapshot-place.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { ControlPlane } from '../../talos/control-plane.ts'
import { type EtcdSource, findEtcdSource } from '../../talos/etcd/etcd-source.ts'
import { snapshotSeal } from '../snapshot-seal.ts'
import { storeEtcdSnapshot } from './store-etcd-snapshot.ts'

export interface KeepInput {
  readonly view: ClusterView
  readonly controlPlanes: readonly ControlPlane[]
  /** Names of those whose data is about to be wiped. */
  readonly wipes: readonly string[]
  /** Where the snapshot is that is restored: the copies go beside it. */
  readonly beside: string
}

/**
 * Puts a sealed copy of what control planes hold of etcd beside the snapshot that takes its place, before it is
 * wiped; of members that agree, one. Returns where the copies are. Throws `etcd-unhealthy` where something is there
 * and cannot be read, and what storing a snapshot throws: then nothing was wiped.
 */
export async function keepEtcdData(
  context: RunContext,
  { view, controlPlanes, wipes, beside }: KeepInput,
): Promise<readonly string[]> {
  if (wipes.length === 0) return []
  const { spec, generation } = view
  if (!generation) throw clusterUnknown(spec, 'restore')
  const seal = await snapshotSeal(context, spec, generation.manifest)
  return runPhase(
    context.progress,
    'Keep a sealed copy of what is wiped',
    async () => {
      const kept: string[] = []
      for (const source of await sourcesOf(controlPlanes, wipes)) {
        const takenAt = new Date(context.calendar.now()).toISOString()
        const { name } = source.controlPlane
        const place = placeBeside(parsePlace(beside), {
          cluster: spec.clusterName,
          takenAt,
          node: name,
        })
        await storeEtcdSnapshot(context, { source, place, takenAt, seal, view })
        kept.push(formatPlace(place))
      }
      return kept
    },
    (kept) => kept.join(', ') || 'there is nothing to keep',
  )
}

async function sourcesOf(
  controlPlanes: readonly ControlPlane[],
  wipes: readonly string[],
): Promise<EtcdSource[]> {
  const wiped = controlPlanes.filter(({ name }) => wipes.includes(name))
  const answers = await Promise.all(wiped.map(findEtcdSource))
  const unread = answers.find((answer) => 'reason' in answer && !answer.isEmpty)
  if (unread && 'reason' in unread) {
    throw new ClusterError(
      'etcd-unhealthy',
      `no copy can be made of what is to be wiped, so nothing was wiped: ${unread.reason}`,
      {
        operation: 'restore etcd',
        hint: 'Run the same command again once the node answers; if its data is lost, delete its server in the Hetzner console: the restore creates it again.',
      },
    )
  }
  const sources = answers.filter((answer) => 'kind' in answer)
  // Members that see one leader hold the same.
  const best = sources.find(({ kind }) => kind === 'quorum')
  return sources.filter((source) => source.kind !== 'quorum' || source === best)
}
