import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import { type ClusterView, configuredNodes } from './cluster-view.ts'

/** Nodes that were given a config and run without one: what runs nothing must not pass for a node of the cluster. */
export function refuseUnconfigured(view: ClusterView, changes: readonly Change[]): Finding[] {
  const { maintenance = new Set<string>() } = view.running ?? {}
  const replaced = new Set<string>(
    changes.flatMap(({ key, action }) => (action === 'update' ? [] : [key])),
  )
  return configuredNodes(view)
    .filter(({ name }) => maintenance.has(name) && !replaced.has(`node/${name}`))
    .map(({ name }) => ({
      severity: 'error',
      path: ['nodes'],
      message: `${name} is in maintenance: it booted without a machine config, or with one that its Talos cannot read, and runs nothing`,
      hint: `Replace it with \`hcloud-talos apply --replace ${name}\`.`,
    }))
}
