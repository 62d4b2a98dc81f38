import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'

/** Nodes whose configs, and addons whose objects, were changed by hand. */
export function driftedNames({ running, addons }: ClusterView): string[] {
  const drifted = [...(running?.drifts ?? [])].filter(([, differences]) => differences.length > 0)
  return [...drifted.map(([name]) => name), ...[...(addons?.drifts.keys() ?? [])].map(asAddon)]
}

function asAddon(name: string): string {
  return `the addon ${name}`
}
