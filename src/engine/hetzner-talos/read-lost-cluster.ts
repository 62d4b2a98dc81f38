import { findClusterUid } from '../../hetzner/find-cluster-uid.ts'
import { serverSpecSchema } from '../../hetzner/kinds/server/server-record.ts'
import { observeHetzner } from '../../hetzner/observe.ts'
import { allocateNodes } from '../../plan/allocate-nodes.ts'
import type { Inventory, InventoryNode } from '../../plan/inventory.ts'
import type { ClusterRecord } from '../../plan/record.ts'
import type { ClusterView } from '../../planner/hetzner-talos/cluster-view.ts'
import type { ClusterSession } from '../../run/hetzner-talos/cluster-session.ts'
import type { LostCluster } from '../../run/mode/cluster-recovery.ts'
import { recoveryImpossible } from '../../run/recovery-impossible.ts'

/** A cluster whose state is lost, as far as Hetzner knows it. */
export type LostTalosCluster = LostCluster<ClusterView>

/** Finds the cluster by its labels, with nodes, slots and addresses. Throws `recovery-impossible`. */
export async function readLostCluster({
  spec,
  hetzner,
}: ClusterSession): Promise<LostTalosCluster> {
  const { clusterName } = spec
  const uid = await findClusterUid(hetzner, clusterName)
  const { network } = spec.hetzner
  const live = await observeHetzner(hetzner, { clusterName, uid, network })
  const nodes = live.records.filter(({ kind }) => kind === 'server').map(nodeOfServer)
  const inventory: Inventory = { clusterName, uid, nodes, addons: {}, bootstrapped: false }
  const view: ClusterView = {
    spec,
    generation: undefined,
    hetzner: live,
    nodes: allocateNodes(spec, inventory),
  }
  return { uid, view, inventory }
}

/** A server of ours says by its labels which node it is. */
function nodeOfServer({ name, spec, facts }: ClusterRecord): InventoryNode {
  const { role, pool, labels, privateIp, location } = serverSpecSchema.parse(spec)
  const slot = Number(labels['slot'])
  if ((role !== 'control-plane' && role !== 'worker') || !(slot > 0) || privateIp === null) {
    throw recoveryImpossible(
      `the server ${name} does not report which node it is`,
      'Set its labels role, pool and slot, and its place in the private network, to what an apply made them.',
    )
  }
  const id = facts?.['id']
  return {
    name,
    role,
    pool,
    slot,
    privateIp,
    location,
    ...(typeof id === 'number' && { serverId: id }),
  }
}
