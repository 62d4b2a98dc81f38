import { checkedSnapshot, type SnapshotFacts } from '../backup/etcd-snapshot.ts'
import { sealSnapshot } from '../backup/sealed-snapshot.ts'
import { formatPlace, parsePlace, snapshotName } from '../backup/snapshot-place.ts'
import { runPhase } from '../phases/run-phase.ts'
import { bytesOf } from '../talos/api/bytes-of.ts'
import { getVersion } from '../talos/api/node-version.ts'
import { talosApi } from '../talos/api/talos-api.ts'
import { chooseEtcdMember } from '../talos/choose-etcd-member.ts'
import type { ControlPlane } from '../talos/control-plane.ts'
import { etcdProblems } from '../talos/etcd-health.ts'
import { ClusterReach } from './cluster-reach.ts'
import { type ClusterFile, openSession } from './cluster-session.ts'
import { clusterUnknown } from './cluster-unknown.ts'
import { refuseOutdated } from './merged-file.ts'
import { type ClusterView, observeCluster } from './observe-cluster.ts'
import type { RunContext } from './run-context.ts'
import { openDoor } from './runner-door.ts'
import { snapshotSeal } from './snapshot-seal.ts'
import { storeSnapshot } from './snapshot-storage.ts'

export interface SnapshotInput {
  readonly file: ClusterFile
  /** A file, or `s3://bucket/key`; what ends in a slash gets a name with the time. */
  readonly to: string
}

export interface TakenSnapshot extends SnapshotFacts {
  /** Where it is. */
  readonly place: string
  /** The control plane that it was taken of. */
  readonly node: string
  readonly takenAt: string
  /** Bytes of the sealed file. */
  readonly stored: number
}

/**
 * Takes a snapshot of a cluster's etcd, encrypts it for the recipients of the cluster file as it passes and
 * puts it at its place: no byte of it is ever on a disk in the clear, and nothing is there unless all of it
 * is. Takes no lock: nothing of the cluster is changed, and a backup should not wait for an upgrade.
 * Throws `cluster-unknown`, `etcd-unhealthy`, `snapshot-damaged`, `object-storage-failed`,
 * `file-unwritable`, `run-outdated`.
 */
export async function snapshotCluster(
  context: RunContext,
  { file, to }: SnapshotInput,
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
  await using _door = await openDoor(context, view, session, {})
  using reach = new ClusterReach(context, session.store, view)
  const source = await chooseSource(context, reach)
  return await runPhase(
    context.progress,
    'Take the snapshot',
    async () => {
      const { tag } = await getVersion(source.client)
      const card = {
        cluster: spec.clusterName,
        uid: generation.inventory.uid,
        node: source.name,
        takenAt,
        talosVersion: tag,
        kubernetesVersion: kubernetesVersion(view, source.name),
      }
      let facts: SnapshotFacts | undefined
      const pieces = talosApi(source.client).machine.etcdSnapshot()
      const plain = checkedSnapshot(bytesOf(pieces), (whole) => {
        facts = whole
      })
      const stored = await storeSnapshot(context, place, sealSnapshot(plain, { ...seal, card }))
      if (!facts) throw new Error('a snapshot was stored that was not seen to its end')
      return { ...facts, place: formatPlace(place), node: source.name, takenAt, stored }
    },
    ({ place, node }) => `${place}, of ${node}`,
  )
}

async function chooseSource(context: RunContext, reach: ClusterReach): Promise<ControlPlane> {
  return runPhase(
    context.progress,
    'Choose a control plane',
    async () => {
      const [first, ...others] = reach.controlPlanes()
      const access = await reach.access()
      const controlPlanes = first ? access.controlPlanes([first, ...others]) : []
      const source = await chooseEtcdMember(controlPlanes)
      const [problem] = await etcdProblems(controlPlanes)
      if (problem !== undefined) context.progress.warn(`etcd is not whole: ${problem}`)
      return source
    },
    ({ name }) => name,
  )
}

function kubernetesVersion({ spec, generation }: ClusterView, node: string): string {
  const known = generation?.inventory.nodes.find(({ name }) => name === node)
  return known?.kubernetesVersion ?? spec.kubernetes.version
}
