import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import { driftedAddons } from '../drifted-addons.ts'

/** Nodes whose configs, and addons whose objects, were changed by hand. */
export function driftedNames({ running, addons }: ClusterView): string[] {
  const drifted = [...(running?.drifts ?? [])].filter(([, differences]) => differences.length > 0)
  return [...drifted.map(([name]) => name), ...driftedAddons(addons)]
}
