import { standingOf } from '../../kubeadm/cluster/found-cluster.ts'
import { foundIn } from './found-in-view.ts'
import type { HostsView } from './hosts-view.ts'

/** Names of hosts whose kubelet runs for the cluster, which has no node of them. */
export function unregisteredNodes(view: HostsView): Set<string> {
  const found = foundIn(view)
  const names = view.spec.hosts.map(({ name }) => name)
  return new Set(
    names.filter((name) => found.hosts.has(name) && standingOf(found, name) === 'unregistered'),
  )
}
