import type { SnapshotFacts } from '../../backup/etcd-snapshot.ts'
import { formatPlace, parsePlace, snapshotName } from '../../backup/snapshot-place.ts'
import { storeEtcdSnapshot } from '../../engine/hetzner-talos/store-etcd-snapshot.ts'
import { snapshotSeal } from '../../engine/snapshot-seal.ts'
import type { ClusterFile } from '../../run/cluster-file.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import { openSession } from '../../run/hetzner-talos/cluster-session.ts'
import { observeCluster } from '../../run/hetzner-talos/observe-cluster.ts'
import { openTemporaryRule } from '../../run/hetzner-talos/temporary-rule.ts'
import { refuseOutdated } from '../../run/merged-file.ts'
import type { RunContext } from '../../run/run-context.ts'
import { runPhase } from '../../run/run-phase.ts'
import { chooseEtcdMember } from '../../talos/etcd/choose-etcd-member.ts'
import { etcdProblems } from '../../talos/etcd/etcd-health.ts'
import type { EtcdSource } from '../../talos/etcd/etcd-source.ts'

export interface SnapshotInput {
  readonly file: ClusterFile
  /** A file, or `s3://bucket/key`; what ends in a slash gets a name with the time. */
  readonly to: string
  /** Leaves the temporary firewall rule, which other steps of the job may be using: a later step deletes it. */
  readonly keepRule?: boolean
}

export interface TakenSnapshot extends SnapshotFacts {
  /** Where it is. */
  readonly place: string
  /** The control plane that it was taken of. */
  readonly node: string
  readonly takenAt: string
  /** Bytes of the sealed file. */
  readonly stored: number
  /** False for one of a survivor: its etcd had lost its quorum. */
  readonly quorum: boolean
}

/**
 * Takes a snapshot of a cluster's etcd, of a survivor where its quorum is lost, encrypts it for the recipients of the cluster file as it passes and
 * puts it at its place: no byte of it is ever on a disk in the clear, and nothing is there unless all of it
 * is. Takes no lock: nothing of the cluster is changed, and a backup should not wait for an upgrade.
 * Throws `cluster-unknown`, `etcd-unhealthy`, `snapshot-damaged`, `object-storage-failed`,
 * `file-unwritable`, `run-outdated`.
 */
export async function snapshotCluster(
  context: RunContext,
  { file, to, keepRule = false }: SnapshotInput,
): Promise<TakenSnapshot> {
  // Its recipients are the file's, and so must be reviewed ones.
  await refuseOutdated(context, file)
  const takenAt = new Date(context.calendar.now()).toISOString()
  await using session = await openSession(context, file)
  const { spec } = session
  const place = parsePlace(to, snapshotName(spec.clusterName, takenAt))
  const view = await runPhase(context.progress, 'Look at what is there', () =>
    observeCluster(spec, session.store, session.hetzner),
  )
  const { generation } = view
  if (!generation) throw clusterUnknown(spec, 'take a snapshot of')
  const seal = await snapshotSeal(context, spec, generation.manifest)
  await using _rule = await openTemporaryRule(context, view, session, { keepRule })
  using reach = new ClusterReach(context, session.store, view)
  const source = await chooseSource(context, reach)
  return await runPhase(
    context.progress,
    'Take the snapshot',
    async () => {
      const stored = await storeEtcdSnapshot(context, { source, place, takenAt, seal, view })
      const { name } = source.controlPlane
      return {
        ...stored,
        place: formatPlace(place),
        node: name,
        takenAt,
        quorum: source.kind === 'quorum',
      }
    },
    ({ place, node, quorum }) => `${place}, of ${quorum ? '' : 'the survivor '}${node}`,
  )
}

async function chooseSource(context: RunContext, reach: ClusterReach): Promise<EtcdSource> {
  const { progress } = context
  return runPhase(
    progress,
    'Choose a control plane',
    async () => {
      const [first, ...others] = reach.controlPlanes()
      const access = await reach.access()
      const controlPlanes = first ? access.controlPlanes([first, ...others]) : []
      const { source, silent } = await chooseEtcdMember(controlPlanes)
      if (source.kind !== 'quorum') progress.warn(describeSurvivor(source, silent))
      else {
        const [problem] = await etcdProblems(controlPlanes)
        if (problem !== undefined) progress.warn(`etcd is not healthy: ${problem}`)
      }
      return source
    },
    ({ controlPlane }) => controlPlane.name,
  )
}

/** What a snapshot is that was taken without a quorum, and what may be missing in it. */
function describeSurvivor({ controlPlane, kind }: EtcdSource, silent: readonly string[]): string {
  const { name } = controlPlane
  return [
    `etcd has lost its quorum: this snapshot is of ${name}, the survivor with the newest data`,
    ...(kind === 'file'
      ? [`its etcd does not answer, so it is the database as it lies on the disk of ${name}`]
      : []),
    ...(silent.length > 0
      ? [`others could not be read, and may hold newer data: ${silent.join('; ')}`]
      : []),
  ].join('; ')
}
