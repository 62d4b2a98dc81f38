import type { ClusterNode } from '../plan/cluster-node.ts'
import type { Inventory, InventoryNode } from '../plan/inventory.ts'
import type { ClusterRecord } from '../plan/record.ts'
import { clusterKubernetes } from '../plan/running-kubernetes.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { schematicOf } from './config/schematic.ts'
import { appliedKinds, type TalosKindTable, talosKinds } from './kinds/talos-kinds.ts'

/**
 * Which Talos version nodes are to run: `running` leaves each node at the version that it has (what an
 * apply wants), `spec` wants the file's everywhere (what an upgrade wants). Kubernetes stays as it runs
 * under either: its components are records of their own (see diff-kubernetes.ts).
 */
export type VersionGoal = 'running' | 'spec'

/** What Talos holds of a cluster: its secrets, each node with its config and version, and etcd. */
export function desireTalos(
  spec: ClusterSpec,
  nodes: readonly ClusterNode[],
  inventory: Inventory | undefined,
  goal: VersionGoal,
  kinds: TalosKindTable = talosKinds,
): ClusterRecord[] {
  const known = new Map(inventory?.nodes.map((node) => [node.name, node]))
  const specOf = (node: ClusterNode) => {
    const running = specAsRunning(spec, known.get(node.name), inventory)
    return goal === 'spec' ? { ...running, talos: spec.talos } : running
  }
  return appliedKinds(kinds).flatMap((kind) => kind.desire({ spec, nodes, specOf }))
}

/** The spec as it applies to a node that still runs other versions than the file asks for. */
export function specAsRunning(
  spec: ClusterSpec,
  node: InventoryNode | undefined,
  inventory: Inventory | undefined,
): ClusterSpec {
  const { talosVersion = spec.talos.version, schematic = schematicOf(spec) } = node ?? {}
  return {
    ...spec,
    talos: { ...spec.talos, version: talosVersion, schematic },
    kubernetes: kubernetesOf(spec, node, inventory),
  }
}

/** The spec as it applies to a node that is made now: the file's Talos, with the Kubernetes that the others run. */
export function specForNewNode(spec: ClusterSpec, inventory: Inventory | undefined): ClusterSpec {
  return { ...spec, kubernetes: kubernetesOf(spec, undefined, inventory) }
}

function kubernetesOf(
  spec: ClusterSpec,
  node: InventoryNode | undefined,
  inventory: Inventory | undefined,
): ClusterSpec['kubernetes'] {
  const own = node?.kubernetesVersion
  const version = own ?? clusterKubernetes(inventory) ?? spec.kubernetes.version
  const components = own === undefined ? undefined : node?.components
  return { ...spec.kubernetes, version, ...(components && { components }) }
}
