import type { FoundCluster } from '../../kubeadm/cluster/found-cluster.ts'
import { standingOf } from '../../kubeadm/cluster/found-cluster.ts'
import type { HostsView } from './hosts-view.ts'

/** What a view knows, as kinds of kubeadm take it. */
export function foundIn({ generation, hosts, cluster }: HostsView): FoundCluster {
  const seen = [...hosts.entries()].flatMap(([name, look]) =>
    look.kind === 'seen' ? [[name, look.host] as const] : [],
  )
  return { inventory: generation?.inventory, hosts: new Map(seen), cluster }
}

/**
 * The control plane on which a cluster that does not exist yet begins: one on which that was started already, else the
 * first by name that was reached. Undefined where the cluster exists.
 */
export function firstControlPlane(view: HostsView): string | undefined {
  const found = foundIn(view)
  if (found.inventory?.bootstrapped) return undefined
  const names = view.spec.hosts
    .filter(({ name, role }) => role === 'control-plane' && found.hosts.has(name))
    .map(({ name }) => name)
    .toSorted(byName)
  const isStarted = (name: string) => !['none', 'leaving'].includes(standingOf(found, name))
  return names.find(isStarted) ?? names[0]
}

/** `cp-2` before `cp-10`. */
export function byName(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

/** Hosts of the file that leave and come back although nothing differs, by name, each with the reason. */
export function replacedHosts(view: HostsView, asked: readonly string[]): Map<string, string> {
  const found = foundIn(view)
  const names = view.spec.hosts.map(({ name }) => name).filter((name) => found.hosts.has(name))
  return new Map([
    ...names
      .filter((name) => standingOf(found, name) === 'leaving')
      .map((name) => [name, 'its removal was started'] as const),
    ...names
      .filter((name) => asked.includes(name))
      .map((name) => [name, 'its replacement was asked for'] as const),
  ])
}
