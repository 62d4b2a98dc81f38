import type { Finding } from '../../lib/finding.ts'
import type { Change } from '../../plan/change.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { Inventory, InventoryNode } from '../../plan/inventory.ts'
import type { RecordKey } from '../../plan/record.ts'
import { runningVersion } from '../../plan/running-kubernetes.ts'
import type { ClusterSpec } from '../../spec/cluster-spec.ts'
import { components } from '../../spec/component.ts'
import { supportsKubernetes } from '../../spec/tables/version-matrix.ts'
import { configDigest } from '../../talos/config/config-digest.ts'
import { desireTalos, specAsRunning } from '../../talos/desire.ts'
import { diffTalos, isUpgrade } from '../../talos/diff.ts'
import { diffKubernetes } from '../../talos/diff-kubernetes.ts'
import { configuredNodes, type TalosLive, talosLiveRecords } from '../../talos/live-records.ts'
import { checkVersionJumps } from '../check-version-jumps.ts'
import type { ClusterView } from './cluster-view.ts'
import { guardDowngrades } from './guard-downgrades.ts'

export interface VersionComparison {
  /** In the order in which an upgrade makes them: each needs the one before. */
  readonly changes: readonly Change[]
  /** What forbids them. */
  readonly findings: readonly Finding[]
  /** What forbids the file's versions to an apply as well: some node runs a newer one. */
  readonly downgrades: readonly Finding[]
}

/**
 * How the versions that a cluster runs differ from the spec's: Talos node by node, control planes first,
 * and Kubernetes component by component. Talos goes first where the new one runs the Kubernetes that is
 * there, and else Kubernetes does. Pure.
 */
export function compareVersions(view: ClusterView, live: TalosLive): VersionComparison {
  const { spec, nodes } = view
  const { inventory } = live
  if (!inventory) return { changes: [], findings: [], downgrades: [] }
  const wanted = new Set(nodes.map(({ name }) => name))
  const staying = configuredNodes(live).filter(({ name }) => wanted.has(name))
  const kubernetes = inventory.bootstrapped ? diffKubernetes(spec, inventory, staying) : []
  const talosFirst = kubernetes.length === 0 || canGoFirst(spec, staying)
  const then = talosFirst ? inventory : afterKubernetes(inventory, spec, nodes)
  const talos = controlPlanesFirst(
    diffTalos(
      desireTalos(spec, nodes, then, 'spec'),
      talosLiveRecords({ ...live, inventory: then }),
    ).filter((change) => isUpgrade(change)),
  )
  const changes = talosFirst ? [...talos, ...kubernetes] : [...kubernetes, ...talos]
  return {
    changes: chain(changes),
    findings: checkVersionJumps(changes),
    downgrades: guardDowngrades(view, staying, {
      changesTalos: talos.length > 0,
      changesKubernetes: kubernetes.length > 0,
    }),
  }
}

/** Whether the new Talos runs the Kubernetes that is there. Where it does not, the old one runs the new Kubernetes, as long as both go up by one minor. */
function canGoFirst({ talos }: ClusterSpec, nodes: readonly InventoryNode[]): boolean {
  return nodes
    .flatMap(kubernetesVersions)
    .every((version) => supportsKubernetes(talos.version, version))
}

function kubernetesVersions(node: InventoryNode): string[] {
  const own = node.role === 'control-plane' ? components : (['kubelet'] as const)
  return own.flatMap((component) => runningVersion(node, component) ?? [])
}

/** The inventory as it will be when the file's Kubernetes runs everywhere. */
function afterKubernetes(
  inventory: Inventory,
  spec: ClusterSpec,
  nodes: readonly ClusterNode[],
): Inventory {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const upgraded = inventory.nodes.map((known) => {
    const node = byName.get(known.name)
    if (!node || known.configDigest === undefined) return known
    const { components: _components, arriving: _arriving, ...rest } = known
    const after = { ...rest, kubernetesVersion: spec.kubernetes.version }
    return { ...after, configDigest: configDigest(specAsRunning(spec, after, inventory), node) }
  })
  return { ...inventory, nodes: upgraded }
}

function controlPlanesFirst(changes: readonly Change[]): Change[] {
  const isControlPlane = (change: Change) => change.after?.spec['role'] === 'control-plane'
  return [
    ...changes.filter(isControlPlane).sort(byKey),
    ...changes.filter((change) => !isControlPlane(change)).sort(byKey),
  ]
}

function byKey(a: Change, b: Change): number {
  return a.key.localeCompare(b.key, 'en', { numeric: true })
}

function chain(changes: readonly Change[]): Change[] {
  return changes.map((change, index) => {
    const previous: RecordKey | undefined = changes[index - 1]?.key
    return { ...change, needs: previous ? [previous] : [] }
  })
}
