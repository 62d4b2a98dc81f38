import type { ClusterNode } from '../../src/plan/cluster-node.ts'

/** A node with sensible rest, for tests that care for a few fields. */
export function clusterNode(partial: Partial<ClusterNode> = {}): ClusterNode {
  const role = partial.role ?? 'control-plane'
  const pool = partial.pool ?? (role === 'worker' ? 'workers' : 'control-plane')
  const slot = partial.slot ?? 1
  return {
    name: `demo-${pool}-${slot}`,
    role,
    pool,
    slot,
    location: 'hel1',
    privateIp: `10.0.64.${10 + slot}`,
    publicIpv4: true,
    publicIpv6: true,
    labels: {},
    annotations: {},
    taints: [],
    patches: [],
    ...partial,
  }
}
