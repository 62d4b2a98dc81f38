import type { ClusterNode } from '../plan/cluster-node.ts'
import type { ClusterRecord } from '../plan/record.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import type { HetznerCatalogue } from './catalogue.ts'
import { desireFirewall } from './records/firewall-record.ts'
import { desireImage, imageKey } from './records/image-record.ts'
import { desireLoadBalancer } from './records/load-balancer-record.ts'
import { desireNetwork } from './records/network-record.ts'
import { desirePlacementGroups } from './records/placement-group-record.ts'
import { desireServer } from './records/server-record.ts'
import { desireSshKey } from './records/ssh-key-record.ts'

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
): ClusterRecord[] {
  const identity = { clusterName: spec.clusterName, uid }
  const image = (arch: ClusterNode['arch']) => ({ arch, version: spec.talos.version, schematic })
  const architectures = [...new Set(nodes.map(({ arch }) => arch))].sort()
  const context = {
    identity,
    catalogue,
    imageKey: (arch: ClusterNode['arch']) => imageKey(image(arch)),
  }
  return [
    ...architectures.map((arch) => desireImage(image(arch))),
    ...desireNetwork(spec, identity),
    desireFirewall(spec, identity),
    ...desirePlacementGroups(nodes, identity),
    ...desireSshKey(spec, identity),
    ...desireLoadBalancer(spec, identity, catalogue),
    ...nodes.map((node) => desireServer(spec, node, context)),
  ]
}
