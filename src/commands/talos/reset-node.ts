import { ClusterError } from '../../lib/cluster-error.ts'
import type { ResetOptions } from '../../talos/api/methods/machine-methods.ts'
import type { TalosApi } from '../../talos/api/talos-api.ts'

/** How long a node may take to leave etcd and be drained, in milliseconds. */
const gracefulMs = 5 * 60_000

/**
 * Wipes partitions of a node. Which, must be said: Talos takes none for the whole boot disk, and a server
 * at Hetzner does not boot again after that.
 */
export async function resetNode(
  { machine }: TalosApi,
  options: Pick<ResetOptions, 'graceful' | 'reboot' | 'partitions'>,
): Promise<void> {
  if (options.partitions.length === 0) {
    throw new ClusterError('usage', 'nothing is named to be wiped', { hint: 'Give --wipe.' })
  }
  await machine.reset(options, { timeoutMs: gracefulMs })
}
