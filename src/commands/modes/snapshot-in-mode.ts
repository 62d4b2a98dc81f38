import { formatPlace, parsePlace, snapshotName } from '../../backup/snapshot-place.ts'
import { snapshotSeal } from '../../engine/snapshot-seal.ts'
import type { KnownCluster } from '../../planner/known-cluster.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { refuseOutdated } from '../../run/merged-file.ts'
import type { TakenCopy } from '../../run/mode/cluster-backup.ts'
import type { BackedUpMode } from '../../run/mode/cluster-mode.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import type { StateSession } from '../../run/state-session.ts'

export interface SnapshotInput {
  readonly file: ClusterFile
  /** A file, or `s3://bucket/key`; what ends in a slash gets a name with the time. */
  readonly to: string
  /** Leaves the way in to the nodes, which other steps of the job may be using: a later step closes it. */
  readonly keepRule?: boolean
}

export interface TakenSnapshot extends TakenCopy {
  /** Where it is. */
  readonly place: string
  readonly takenAt: string
}

/**
 * Takes a snapshot of a cluster's etcd, of a survivor where its quorum is lost, encrypts it for the recipients of the cluster file as it passes and
 * puts it at its place: no byte of it is ever on a disk in the clear, and nothing is there unless all of it
 * is. Takes no lock: nothing of the cluster is changed, and a backup should not wait for an upgrade.
 * Throws `cluster-unknown`, `etcd-unhealthy`, `snapshot-damaged`, `object-storage-failed`,
 * `file-unwritable`, `run-outdated`.
 */
export async function snapshotInMode<S extends StateSession, V extends KnownCluster>(
  { open, machines, nodes, backup }: BackedUpMode<S, V>,
  context: RunContext,
  { file, to, keepRule = false }: SnapshotInput,
): Promise<TakenSnapshot> {
  // Its recipients are the file's, and so must be reviewed ones.
  await refuseOutdated(context, file)
  const takenAt = new Date(context.calendar.now()).toISOString()
  await using session = await open(context, file)
  const { spec } = session
  const place = parsePlace(to, snapshotName(spec.clusterName, takenAt))
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    machines.observe(session),
  )
  const { generation } = view
  if (!generation) throw clusterUnknown(spec, 'take a snapshot of')
  const seal = await snapshotSeal(context, spec, generation.manifest)
  await using access = nodes.access(context, session, { keepRule })
  await access.open(view)
  const taken = await backup.take(context, { session, view }, { place, takenAt, seal })
  return { ...taken, place: formatPlace(place), takenAt }
}
