import type { SnapshotFacts } from '../../backup/etcd-snapshot.ts'
import type { SealOptions } from '../../backup/sealed-snapshot.ts'
import type { SnapshotMetadata } from '../../backup/snapshot-metadata.ts'
import type { SnapshotPlace } from '../../backup/snapshot-place.ts'
import { etcdBeginning } from '../../planner/etcd-beginning.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import type { RunContext } from '../../run/run-context.ts'
import { getVersion } from '../../talos/api/node-version.ts'
import { type EtcdSource, readEtcdSource } from '../../talos/etcd/etcd-source.ts'
import { storeSealedSnapshot } from '../store-sealed-snapshot.ts'

export interface StoreInput {
  readonly source: EtcdSource
  readonly place: SnapshotPlace
  /** ISO 8601. */
  readonly takenAt: string
  readonly seal: Omit<SealOptions, 'metadata'>
  readonly view: ClusterView
}

/**
 * Reads what a control plane has of etcd, seals it as it passes, and puts it at its place: no byte of it is ever on a
 * disk in the clear, and nothing is there unless all of it is.
 */
export async function storeEtcdSnapshot(
  context: RunContext,
  { source, place, takenAt, seal, view }: StoreInput,
): Promise<SnapshotFacts & { readonly stored: number }> {
  const metadata = await metadataOf(source, takenAt, view)
  const plain = readEtcdSource(source)
  return storeSealedSnapshot(context, { plain, place, seal: { ...seal, metadata } })
}

async function metadataOf(
  { controlPlane: { name, client }, kind, mark }: EtcdSource,
  takenAt: string,
  { spec, generation }: ClusterView,
): Promise<SnapshotMetadata> {
  if (!generation) throw clusterUnknown(spec, 'take a snapshot of')
  const known = generation.inventory.nodes.find((node) => node.name === name)
  const { tag } = await getVersion(client)
  return {
    cluster: spec.clusterName,
    uid: generation.inventory.uid,
    node: name,
    takenAt,
    talosVersion: tag,
    kubernetesVersion: known?.kubernetesVersion ?? spec.kubernetes.version,
    ...mark,
    beginning: etcdBeginning(generation.journal),
    ...(kind !== 'quorum' && { quorum: false }),
  }
}
