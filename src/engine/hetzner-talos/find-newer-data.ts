import type { SnapshotMetadata } from '../../backup/snapshot-metadata.ts'
import { mayBeNewer } from '../../planner/etcd-beginning.ts'
import type { ClusterReach } from '../../run/hetzner-talos/cluster-reach.ts'
import type { Generation } from '../../store/generation.ts'
import { findEtcdSource } from '../../talos/etcd/etcd-source.ts'

/**
 * Those of these control planes whose data of etcd is newer than a snapshot, or may be: a restore loses it. What
 * cannot be compared counts as newer.
 */
export async function findNewerData(
  reach: ClusterReach,
  names: readonly string[],
  { metadata, generation }: { metadata: SnapshotMetadata | undefined; generation: Generation },
): Promise<string[]> {
  // Where nobody has any there may be no way to reach anybody.
  if (names.length === 0) return []
  const access = await reach.access()
  const isNewer = async ({ name, address }: { name: string; address: string }) => {
    const source = await findEtcdSource({ name, client: access.talos(address) })
    return mayBeNewer(source, metadata, generation.journal)
  }
  const asked = reach.controlPlanes().filter(({ name }) => names.includes(name))
  const answers = await Promise.all(asked.map(isNewer))
  return asked.flatMap(({ name }, index) => (answers[index] ? [name] : []))
}
