import type { SnapshotFacts } from '../../backup/etcd-snapshot.ts'
import type { SealOptions } from '../../backup/sealed-snapshot.ts'
import type { SnapshotMetadata } from '../../backup/snapshot-metadata.ts'
import type { SnapshotPlace } from '../../backup/snapshot-place.ts'
import { etcdBeginning } from '../../planner/etcd-beginning.ts'
import type { HostsView } from '../../planner/kubeadm/hosts-view.ts'
import { versionOfHost } from '../../planner/kubeadm/running-version.ts'
import { clusterUnknown } from '../../run/cluster-unknown.ts'
import type { RunContext } from '../../run/run-context.ts'
import { storeSealedSnapshot } from '../store-sealed-snapshot.ts'
import { type HostSource, readSource } from './etcd-source.ts'

interface StoreInput {
  readonly source: HostSource
  readonly place: SnapshotPlace
  /** ISO 8601. */
  readonly takenAt: string
  readonly seal: Omit<SealOptions, 'metadata'>
  readonly view: HostsView
}

/** Reads what a control plane has of etcd over SSH, seals it as it passes, and puts it at its place. */
export function storeHostSnapshot(
  context: RunContext,
  { source, place, takenAt, seal, view }: StoreInput,
): Promise<SnapshotFacts & { readonly stored: number }> {
  const metadata = metadataOf(source, takenAt, view)
  return storeSealedSnapshot(context, {
    plain: readSource(source),
    place,
    seal: { ...seal, metadata },
  })
}

function metadataOf(
  { name, kind, mark }: HostSource,
  takenAt: string,
  { spec, generation }: HostsView,
): SnapshotMetadata {
  if (!generation) throw clusterUnknown(spec, 'take a snapshot of')
  const { inventory, journal } = generation
  return {
    cluster: spec.clusterName,
    uid: inventory.uid,
    node: name,
    takenAt,
    // Required by the format since its first version; hosts have no Talos.
    talosVersion: '',
    kubernetesVersion: versionOfHost(name, spec, inventory),
    ...mark,
    beginning: etcdBeginning(journal),
    ...(kind !== 'quorum' && { quorum: false }),
  }
}
