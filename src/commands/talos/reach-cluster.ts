import type { RunContext } from '../../run/run-context.ts'
import { reachByState } from './reach-by-state.ts'
import { reachByTalosconfig } from './reach-by-talosconfig.ts'
import type { ReachedCluster, TalosTarget } from './reached-cluster.ts'

/**
 * Reaches the nodes of a cluster for as long as `use` takes: with the talosconfig that is given, else with
 * credentials of the least role that does, minted for this use alone, and the firewall open for it (ADR 9).
 */
export function reachCluster<T>(
  context: RunContext,
  target: TalosTarget,
  use: (cluster: ReachedCluster) => Promise<T>,
): Promise<T> {
  const { talosconfig, file } = target
  if (talosconfig) return reachByTalosconfig(context, { ...target, talosconfig }, use)
  if (file) return reachByState(context, { ...target, file }, use)
  throw new Error('neither a cluster file nor a talosconfig')
}
