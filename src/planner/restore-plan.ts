import type { SnapshotMetadata } from '../backup/snapshot-metadata.ts'
import { dateOf } from '../lib/ending.ts'
import type { Change } from '../plan/change.ts'
import { actionSigns, subjectOf } from '../plan/describe-change.ts'
import type { JournalEntry } from '../store/files/journal.ts'

/** What a restore is about to do, for people to say yes to. */
export interface RestorePlan {
  readonly clusterName: string
  /** Where the snapshot is. */
  readonly place: string
  /** Undefined for a plain snapshot, which says nothing of itself. */
  readonly metadata: SnapshotMetadata | undefined
  readonly digest: string
  /** Servers and nodes that are gone and are recreated first, with what they need. */
  readonly creates: readonly Change[]
  /** Control planes whose data is wiped. */
  readonly wipes: readonly string[]
  /** Those of them whose etcd goes on: what it holds since the snapshot is lost. */
  readonly alive: readonly string[]
  /** Those of them whose data is newer than the snapshot, or may be. */
  readonly newer: readonly string[]
  /** How long ago the snapshot was taken, in milliseconds; undefined for a plain one. */
  readonly takenMsAgo: number | undefined
  /** What the cluster's controllers have made at the provider since then: Kubernetes will not know of it. */
  readonly madeSince: readonly string[]
  /** A former run got as far as etcd's new beginning: nothing is wiped any more. */
  readonly resumes: boolean
  /** When the certificate authorities end, where they are issued once more: all nodes are new. */
  readonly renews: number | undefined
}

/**
 * What is made before etcd begins, and what only after it: a worker that is new answers once it has a certificate, for
 * which it asks a control plane, and it finds one through Kubernetes where the discovery service is out of reach.
 */
export function orderRestore(creates: readonly Change[]): {
  readonly beforeEtcd: readonly Change[]
  readonly withKubernetes: readonly Change[]
} {
  const isWorker = ({ after }: Change) => after?.kind === 'node' && after.spec['role'] === 'worker'
  return {
    beforeEtcd: creates.filter((change) => !isWorker(change)),
    withKubernetes: creates.filter(isWorker),
  }
}

/**
 * The control plane on which a former run let etcd begin with this very snapshot, unless it came to its
 * end: once that has been asked for, data on that node is the restored one.
 */
export function recoveryBegun(
  journal: readonly JournalEntry[],
  digest: string,
): string | undefined {
  const last = journal.findLast(
    ({ fact }) =>
      fact === 'etcd-recover-started' || fact === 'etcd-recovered' || fact === 'restore-started',
  )
  if (last?.fact !== 'etcd-recover-started' || last.detail?.['snapshot'] !== digest) {
    return undefined
  }
  return last.node
}

/** The plan as lines of text. */
export function describeRestore(plan: RestorePlan): string {
  const {
    clusterName,
    metadata,
    digest,
    creates,
    wipes,
    alive,
    newer,
    resumes,
    madeSince,
    renews,
  } = plan
  const survivor = metadata?.quorum === false ? ', which had survived without a quorum' : ''
  const lost = newer.filter((name) => !alive.includes(name))
  const lines = [
    `Restore etcd of ${clusterName} from the snapshot ${digest.slice(0, 12)},`,
    metadata
      ? `taken of ${metadata.node}${survivor} at ${metadata.takenAt} (Kubernetes ${metadata.kubernetesVersion}).`
      : 'a plain one: it holds the Kubernetes authority of this cluster, and does not record when it was taken.',
    '',
    ...(renews === undefined
      ? []
      : [
          `~ certificate authorities (until ${dateOf(renews)}): issued once more over the same keys`,
        ]),
    ...creates.map((change) => `${actionSigns[change.action]} ${subjectOf(change)}`),
    ...(resumes
      ? ['etcd has started with this snapshot already: the rest of that restore is done.']
      : [
          ...(wipes.length > 0
            ? ['put a sealed copy of what they hold of etcd beside the snapshot']
            : []),
          ...wipes.map((name) => `wipe the data of ${name} and restart it`),
          'restore etcd from the snapshot; the other control planes join',
          describeLoss(plan),
        ]),
    ...alive.map((name) => `! the etcd of ${name} is alive; what it holds is discarded`),
    ...lost.map(
      (name) => `! ${name} holds data that is newer than the snapshot, or may be; it is discarded`,
    ),
    ...madeSince.map(
      (what) =>
        `! ${what} was created after the snapshot: it stays, and Kubernetes will not know it`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

/** What of Kubernetes is gone afterwards, as far as that is known before. */
function describeLoss({ metadata, wipes, newer, takenMsAgo }: RestorePlan): string {
  if (wipes.length > 0 && newer.length === 0) {
    return 'The snapshot holds all that these control planes hold: nothing that they have is lost.'
  }
  if (metadata === undefined || takenMsAgo === undefined) {
    return 'What was written to Kubernetes after the snapshot was taken is lost.'
  }
  return `What was written to Kubernetes after the snapshot is lost: since ${metadata.takenAt}, ${describeAge(takenMsAgo)} ago.`
}

/** `7 h 31 min`, as exact as people need it. */
function describeAge(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000))
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} days`
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}
