import type { ClusterNode } from '../plan/cluster-node.ts'
import type { Inventory, InventoryNode } from '../plan/inventory.ts'
import type { ClusterRecord, RecordKey } from '../plan/record.ts'
import { clusterKubernetes } from '../plan/running-kubernetes.ts'
import type { ClusterSpec } from '../spec/cluster-spec.ts'
import { configDigest } from './config/config-digest.ts'
import { schematicOf } from './config/schematic.ts'
import { contractName } from './config/version-contract.ts'
import { desiredSecrets } from './secrets-record.ts'

/**
 * Which Talos version nodes are to run: `running` leaves each node at the version that it has (what an
 * apply wants), `spec` wants the file's everywhere (what an upgrade wants). Kubernetes stays as it runs
 * under either: its components are records of their own (see kubernetes-records.ts).
 */
export type VersionGoal = 'running' | 'spec'

/** What Talos holds of a cluster: its secrets, each node with its config and version, and etcd. */
export function desireTalos(
  spec: ClusterSpec,
  nodes: readonly ClusterNode[],
  inventory: Inventory | undefined,
  goal: VersionGoal,
): ClusterRecord[] {
  const secrets: ClusterRecord = {
    kind: 'secrets',
    name: spec.clusterName,
    spec: desiredSecrets(spec.state),
    needs: [],
  }
  const known = new Map(inventory?.nodes.map((node) => [node.name, node]))
  const nodeRecords = nodes.map((node) => {
    const running = specAsRunning(spec, known.get(node.name), inventory)
    return nodeRecord(goal === 'spec' ? { ...running, talos: spec.talos } : running, node)
  })
  return [secrets, ...nodeRecords, etcdRecord(spec.clusterName, nodes)]
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

function nodeRecord(spec: ClusterSpec, node: ClusterNode): ClusterRecord {
  return {
    kind: 'node',
    name: node.name,
    spec: {
      role: node.role,
      talosVersion: spec.talos.version,
      schematic: schematicOf(spec),
      kubernetesVersion: spec.kubernetes.version,
      configDigest: configDigest(spec, node),
      contract: contractName(spec),
    },
    needs: [`server/${node.name}`, `secrets/${spec.clusterName}`],
  }
}

/**
 * etcd begins on the first control plane, and only when all of them answer: one that cannot be asked
 * could be a member already.
 */
function etcdRecord(clusterName: string, nodes: readonly ClusterNode[]): ClusterRecord {
  const controlPlanes = nodes.filter((node) => node.role === 'control-plane')
  const needs = controlPlanes.map((node): RecordKey => `node/${node.name}`)
  return { kind: 'etcd', name: clusterName, spec: {}, needs }
}
