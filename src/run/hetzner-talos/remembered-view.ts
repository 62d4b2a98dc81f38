import { allocateNodes } from '../../plan/allocate-nodes.ts'
import type { InventoryNode } from '../../plan/inventory.ts'
import type { ClusterRecord, RecordKey } from '../../plan/record.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import type { Generation } from '../../store/generation.ts'
import { withKeptContract } from '../../talos/kept-contract.ts'
import type { ReachableCluster } from './cluster-reach.ts'

/** A cluster as its state remembers it, where Hetzner cannot be asked: addresses may be out of date. */
export function rememberedView(spec: ClusterSpec, generation: Generation): ReachableCluster {
  const { inventory } = generation
  const records = inventory.nodes.map(rememberedServer)
  const ids = new Map(
    inventory.nodes.flatMap(({ name, serverId }): [RecordKey, number][] =>
      serverId === undefined ? [] : [[`server/${name}`, serverId]],
    ),
  )
  return {
    spec: withKeptContract(spec, inventory),
    nodes: allocateNodes(spec, inventory),
    generation,
    hetzner: { records, ids },
  }
}

function rememberedServer({ name, serverId = 0, publicIp }: InventoryNode): ClusterRecord {
  return {
    kind: 'server',
    name,
    spec: {},
    needs: [],
    facts: { id: serverId, publicIp: publicIp ?? null },
  }
}
