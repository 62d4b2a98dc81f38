import type { ClusterNode } from '../plan/cluster-node.ts'
import type { ClusterRecord } from '../plan/record.ts'
import type { Architecture, ClusterSpec } from '../spec/cluster-spec.ts'
import type { HetznerCatalogue } from './catalogue.ts'
import { type HetznerKindTable, hetznerKinds } from './kinds/hetzner-kinds.ts'

export interface DesireContext {
  /** The cluster's uid; on a first plan, before one is minted, a placeholder that every plan shares. */
  readonly uid: string
  readonly catalogue: HetznerCatalogue
  /** Schematic id of the node image, 64 hex digits. */
  readonly schematic: string
}

/** Everything that the spec asks of Hetzner. References are by name; pure. */
export function desireHetzner(
  spec: ClusterSpec,
  nodes: readonly ClusterNode[],
  { uid, catalogue, schematic }: DesireContext,
  kinds: HetznerKindTable = hetznerKinds,
): ClusterRecord[] {
  const request = {
    spec,
    nodes,
    identity: { clusterName: spec.clusterName, uid },
    catalogue,
    image: (arch: Architecture) => ({ arch, version: spec.talos.version, schematic }),
  }
  return Object.values(kinds).flatMap((kind) => kind.desire(request))
}
