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
    serverType: 'cx23',
    arch: 'amd64',
    location: 'hel1',
    privateIp: `10.0.64.${10 + slot}`,
    placementGroup: `demo-${pool}-1`,
    publicIpv4: true,
    publicIpv6: true,
    labels: {},
    annotations: {},
    taints: [],
    patches: [],
    ...partial,
  }
}
