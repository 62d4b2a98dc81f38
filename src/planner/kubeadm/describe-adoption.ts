import { comparedConfiguration } from '../../kubeadm/cluster/compared-configuration.ts'
import { runningKubernetes } from '../../kubeadm/cluster/found-cluster.ts'
import type { Finding } from '../../lib/finding.ts'
import type { Inventory } from '../../plan/inventory.ts'
import { byName, foundIn } from './found-in-view.ts'
import type { HostsView } from './hosts-view.ts'

/** A cluster that is adopted, as people confirm it. Pure. */
export function describeAdoption(
  view: HostsView,
  { clusterName, uid, authority, nodes }: Inventory,
  findings: readonly Finding[],
): string[] {
  const { configuration } = view.cluster ?? {}
  const { endpoint } = configuration ? comparedConfiguration(configuration) : {}
  const namesOf = (role: string) =>
    nodes
      .filter((node) => node.role === role)
      .map(({ name }) => name)
      .toSorted(byName)
      .join(', ') || 'none'
  const known = new Set(nodes.map(({ name }) => name))
  const names = view.spec.hosts.map(({ name }) => name)
  const added = names.filter((name) => !known.has(name)).join(', ')
  return [
    `cluster ${clusterName}, from now on known by the uid ${uid}`,
    `authority ${authority ?? 'unknown'}`,
    `Kubernetes ${runningKubernetes(foundIn(view)) ?? 'unknown'} at ${endpoint ?? 'the address of its control plane'}`,
    `control planes: ${namesOf('control-plane')}`,
    `workers: ${namesOf('worker')}`,
    ...(added === '' ? [] : [`in the file and no node yet, so that an apply joins them: ${added}`]),
    ...findings.map(({ message }) => `note: ${message}`),
    `a mark is written on each of its hosts (/var/lib/hcloud-talos), and what was found onto the branch ${view.spec.state.branch}; nothing else is changed`,
  ]
}
