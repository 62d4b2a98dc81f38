import { formatPlace, parsePlace, placeBeside } from '../../backup/snapshot-place.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { snapshotSeal } from '../snapshot-seal.ts'
import { type HostSource, type SeenEtcd, sourceOf } from './etcd-source.ts'
import { storeHostSnapshot } from './store-host-snapshot.ts'

interface KeepInput {
  readonly view: HostsView
  /** Those whose data is about to be wiped. */
  readonly wiped: readonly SeenEtcd[]
  /** Where the snapshot is that is restored: the copies go beside it. */
  readonly beside: string
}

/**
 * Puts a sealed copy of what control planes hold of etcd beside the snapshot that takes its place, before it is wiped; of
 * members that agree, one. Returns where the copies are. Throws `etcd-unhealthy` where something is there and cannot be
 * read, and what storing a snapshot throws: then nothing was wiped.
 */
export async function keepHostData(
  context: RunContext,
  { view, wiped, beside }: KeepInput,
): Promise<readonly string[]> {
  if (wiped.length === 0) return []
  const { spec, generation } = view
  if (!generation) throw clusterUnknown(spec, 'restore')
  const seal = await snapshotSeal(context, spec, generation.manifest)
  return runPhase(
    context.progress,
    'Keep a sealed copy of what is wiped',
    async () => {
      const kept: string[] = []
      for (const source of sourcesIn(wiped)) {
        const takenAt = new Date(context.calendar.now()).toISOString()
        const { name: node } = source
        const place = placeBeside(parsePlace(beside), { cluster: spec.clusterName, takenAt, node })
        await storeHostSnapshot(context, { source, place, takenAt, seal, view })
        kept.push(formatPlace(place))
      }
      return kept
    },
    (kept) => kept.join(', ') || 'there is nothing to keep',
  )
}

function sourcesIn(wiped: readonly SeenEtcd[]): HostSource[] {
  const answers = wiped.map(sourceOf)
  const unread = answers.find((answer) => 'reason' in answer && !answer.isEmpty)
  if (unread && 'reason' in unread) {
    throw new ClusterError(
      'etcd-unhealthy',
      `no copy can be made of what is to be wiped, so nothing was wiped: ${unread.reason}`,
      {
        operation: 'restore etcd',
        hint: `Run the same command again once it answers; where nobody needs what ${unread.name} holds, remove /var/lib/etcd/member there yourself.`,
      },
    )
  }
  const sources = answers.filter((answer) => 'kind' in answer)
  // Members that see one leader hold the same.
  const best = sources.find(({ kind }) => kind === 'quorum')
  return sources.filter((source) => source.kind !== 'quorum' || source === best)
}
