import type { Component, ControlPlaneComponent } from '../spec/component.ts'
import { compareVersions, parseVersion } from '../spec/tables/version-matrix.ts'
import type { Inventory, InventoryNode } from './inventory.ts'

/** The version of a component (without v) that a node's config names; undefined for a node without a config. */
export function configuredVersion(node: InventoryNode, component: Component): string | undefined {
  const own = component === 'kubelet' ? undefined : node.components?.[component]
  return own ?? node.kubernetesVersion
}

/** The version that a node is known to run: one that was written down but not seen yet does not count. */
export function runningVersion(node: InventoryNode, component: Component): string | undefined {
  const { arriving } = node
  return arriving?.component === component ? arriving.from : configuredVersion(node, component)
}

/**
 * The Kubernetes of a cluster: that of its oldest API server, which no kubelet may be newer than.
 * Undefined where no control plane was ever configured.
 */
export function clusterKubernetes(inventory: Inventory | undefined): string | undefined {
  return oldestVersion(
    (inventory?.nodes ?? [])
      .filter(({ role }) => role === 'control-plane')
      .map((node) => runningVersion(node, 'kube-apiserver')),
  )
}

/** The oldest of these versions; undefined where there is none. */
export function oldestVersion(versions: readonly (string | undefined)[]): string | undefined {
  const known = versions.filter((version) => version !== undefined)
  return known.toSorted(byVersion)[0]
}

/** Components whose versions differ from the kubelet's, as an inventory keeps them; undefined where none does. */
export function differingComponents(
  versions: Readonly<Partial<Record<ControlPlaneComponent, string>>>,
  kubelet: string | undefined,
): Partial<Record<ControlPlaneComponent, string>> | undefined {
  const differing = Object.entries(versions).filter(([, version]) => version !== kubelet)
  return differing.length === 0 ? undefined : Object.fromEntries(differing)
}

function byVersion(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)]
  return left && right ? compareVersions(left, right) : 0
}
