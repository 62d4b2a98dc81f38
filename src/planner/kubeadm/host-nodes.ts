import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { Inventory } from '../../plan/inventory.ts'
import type { HostRole, HostSpec, HostsSpec } from '../../spec/hosts/hosts-spec.ts'

/**
 * The nodes that a file of hosts asks for. Hosts have names of their own: their role is the pool, in which a host keeps
 * its slot for as long as the state knows it, and a new one takes the lowest that is free.
 */
export function hostNodes(spec: HostsSpec, inventory?: Inventory | undefined): ClusterNode[] {
  const taken = new Map<HostRole, Set<number>>()
  const known = new Map<string, number>()
  const slotsOf = (pool: HostRole) => {
    const slots = taken.get(pool) ?? new Set<number>()
    taken.set(pool, slots)
    return slots
  }
  for (const { name, role } of spec.hosts) {
    const former = inventory?.nodes.find((node) => node.name === name && node.pool === role)
    if (former === undefined || slotsOf(role).has(former.slot)) continue
    known.set(name, former.slot)
    slotsOf(role).add(former.slot)
  }
  return spec.hosts.map((host) => {
    const slots = slotsOf(host.role)
    const slot = known.get(host.name) ?? lowestFree(slots)
    slots.add(slot)
    return toNode(host, slot)
  })
}

function lowestFree(slots: ReadonlySet<number>): number {
  let slot = 1
  while (slots.has(slot)) slot += 1
  return slot
}

function toNode({ name, role, nodeIp, labels, taints }: HostSpec, slot: number): ClusterNode {
  return {
    name,
    role: role === 'control-plane' ? 'control-plane' : 'worker',
    pool: role,
    slot,
    privateIp: nodeIp,
    publicIpv4: false,
    publicIpv6: false,
    labels,
    annotations: {},
    taints,
    patches: [],
  }
}
