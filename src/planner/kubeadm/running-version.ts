import type { Inventory } from '../../plan/inventory.ts'
import { oldestVersion } from '../../plan/running-kubernetes.ts'
import type { HostsSpec } from '../../spec/hosts/hosts-spec.ts'

/**
 * The Kubernetes that the cluster runs, without v: that of its oldest control plane, and what the file asks for where
 * there is none yet. A host that joins gets this one: an upgrade is a button of its own.
 */
export function runningVersion(
  { kubernetes: { version } }: Pick<HostsSpec, 'kubernetes'>,
  inventory: Inventory | undefined,
): string {
  const versions = (inventory?.nodes ?? []).flatMap(({ role, kubernetesVersion }) =>
    role === 'control-plane' && kubernetesVersion !== undefined ? [kubernetesVersion] : [],
  )
  return oldestVersion(versions) ?? version
}

/** The same for one host: a node keeps what it runs until its own turn in an upgrade. */
export function versionOfHost(
  name: string,
  spec: Pick<HostsSpec, 'kubernetes'>,
  inventory: Inventory | undefined,
): string {
  const known = inventory?.nodes.find((node) => node.name === name)
  return known?.kubernetesVersion ?? runningVersion(spec, inventory)
}
