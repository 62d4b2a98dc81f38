import type { SnapshotFacts } from '../../backup/etcd-snapshot.ts'
import type { SealOptions } from '../../backup/sealed-snapshot.ts'
import type { SnapshotPlace } from '../../backup/snapshot-place.ts'
import type { VerifiedSnapshot } from '../../backup/verified-snapshot.ts'
import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { RestorePlan } from '../../planner/restore-plan.ts'
import type { RunContext } from '../run-context.ts'
import type { StateSession } from '../state-session.ts'
import type { PlanOptions } from './cluster-life.ts'

/** Copies of a cluster's etcd, and the cluster back from one. */
export interface ClusterBackup<S extends StateSession, V extends KnownCluster> {
  /** Reads what etcd holds, and seals it on its way to its place: nothing is there unless all of it is. */
  take(
    context: RunContext,
    from: { readonly session: S; readonly view: V },
    to: SnapshotTarget,
  ): Promise<TakenCopy>
  /** The certificate of the Kubernetes authority, by which a plain snapshot is known to be the cluster's. */
  authority(context: RunContext, session: S): Promise<string>
  /** What of the cluster is gone and is recreated first, and what forbids that. Pure. */
  planRestore(view: V, options: Pick<PlanOptions, 'now'>): PlannedRestore
  /** Asks every control plane what it holds. Throws `etcd-alive` for what is not lost, and not to be discarded. */
  judgeRestore(
    context: RunContext,
    to: { readonly session: S; readonly view: V },
    restore: WantedRestore,
  ): Promise<JudgedRestore>
  /** Makes it so. Safe to kill and to run again. */
  restore(context: RunContext, work: RestoreWork<S, V>): Promise<void>
}

export interface SnapshotTarget {
  readonly place: SnapshotPlace
  /** ISO 8601. */
  readonly takenAt: string
  readonly seal: Omit<SealOptions, 'metadata'>
}

export interface TakenCopy extends SnapshotFacts {
  /** The control plane that it was taken of. */
  readonly node: string
  /** Bytes of the sealed file. */
  readonly stored: number
  /** False for one of a survivor: its etcd had lost its quorum. */
  readonly quorum: boolean
}

export interface PlannedRestore {
  readonly creates: readonly Change[]
  readonly findings: readonly Finding[]
}

interface WantedRestore {
  /** Milliseconds since the epoch: by which the whole restore is judged. */
  readonly now: number
  readonly snapshot: VerifiedSnapshot
  readonly creates: readonly Change[]
  readonly discardEtcd: boolean
}

/** What only the control planes and the provider tell of it. */
export type JudgedRestore = Pick<
  RestorePlan,
  'wipes' | 'alive' | 'newer' | 'madeSince' | 'resumes' | 'renews'
>

interface RestoreWork<S extends StateSession, V extends KnownCluster> {
  readonly session: S
  /** The cluster as it was found. */
  readonly former: V
  readonly plan: RestorePlan
  readonly snapshot: VerifiedSnapshot
}
