import { isClusterError } from '../lib/cluster-error.ts'
import { getMachineStatus } from './api/machine-status.ts'
import { TalosClient } from './api/talos-client.ts'
import { probeNode } from './probe-node.ts'

/**
 * Whether a node has no machine config, or none that its Talos can read: it then runs nothing, and takes a config from
 * anybody. False for one that does not answer. Changes nothing.
 */
export async function isInMaintenance(
  address: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const probe = await probeNode(address, { timeoutMs, signal })
  if (probe.state !== 'maintenance') return false
  using client = new TalosClient({ address, fingerprint: probe.fingerprint, timeoutMs, signal })
  try {
    // A node that boots with a config answers for a moment as if it were in maintenance.
    return (await getMachineStatus(client))?.stage === 'maintenance'
  } catch (error) {
    signal.throwIfAborted()
    if (!isClusterError(error)) throw error
    return false
  }
}
