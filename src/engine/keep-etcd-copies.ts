import {
  formatPlace,
  parsePlace,
  placeBeside,
  type SnapshotPlace,
} from '../backup/snapshot-place.ts'
import { ClusterError } from '../lib/cluster-error.ts'
import type { KnownCluster } from '../planner/known-cluster.ts'
import { clusterUnknown } from '../run/cluster-unknown.ts'
import type { RunContext } from '../run/run-context.ts'
import { runPhase } from '../run/run-phase.ts'
import type { EtcdSource, NoEtcdSource } from './etcd-sources.ts'
import { snapshotSeal } from './snapshot-seal.ts'

interface KeepInput<Wiped, Source extends EtcdSource> {
  readonly view: KnownCluster
  /** Those whose data is about to be wiped. */
  readonly wiped: readonly Wiped[]
  /** What one of them holds. */
  readonly ask: (one: Wiped) => Promise<Source | NoEtcdSource>
  /** Where the snapshot is that is restored: the copies go beside it. */
  readonly beside: string
  /** What to do about something that is there and cannot be read, as a hint. */
  readonly aboutUnread: string
  readonly store: (source: Source, to: CopyTarget) => Promise<unknown>
}

interface CopyTarget {
  readonly place: SnapshotPlace
  /** ISO 8601. */
  readonly takenAt: string
  readonly seal: Awaited<ReturnType<typeof snapshotSeal>>
}

/**
 * Puts a sealed copy of what control planes hold of etcd beside the snapshot that takes its place, before it is wiped; of
 * members that agree, one. Returns where the copies are. Throws `etcd-unhealthy` where something is there and cannot be
 * read, and what storing a snapshot throws: then nothing was wiped.
 */
export async function keepEtcdCopies<Wiped, Source extends EtcdSource>(
  context: RunContext,
  { view, wiped, ask, beside, aboutUnread, store }: KeepInput<Wiped, Source>,
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
      const answers = await Promise.all(wiped.map((one) => ask(one)))
      for (const source of sourcesIn(answers, aboutUnread)) {
        const takenAt = new Date(context.calendar.now()).toISOString()
        const copy = { cluster: spec.clusterName, takenAt, node: source.name }
        const place = placeBeside(parsePlace(beside), copy)
        await store(source, { place, takenAt, seal })
        kept.push(formatPlace(place))
      }
      return kept
    },
    (kept) => kept.join(', ') || 'there is nothing to keep',
  )
}

function sourcesIn<Source extends EtcdSource>(
  answers: readonly (Source | NoEtcdSource)[],
  aboutUnread: string,
): Source[] {
  const unread = answers.find((answer) => 'reason' in answer && !answer.isEmpty)
  if (unread && 'reason' in unread) {
    throw new ClusterError(
      'etcd-unhealthy',
      `no copy can be made of what is to be wiped, so nothing was wiped: ${unread.reason}`,
      { operation: 'restore etcd', hint: aboutUnread },
    )
  }
  const sources = answers.filter((answer) => 'kind' in answer)
  // Members that see one leader hold the same.
  const best = sources.find(({ kind }) => kind === 'quorum')
  return sources.filter((source) => source.kind !== 'quorum' || source === best)
}
