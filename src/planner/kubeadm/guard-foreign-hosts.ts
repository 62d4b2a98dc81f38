import type { SeenHost } from '../../kubeadm/host/seen-host.ts'
import type { Finding } from '../../lib/finding.ts'
import type { AdoptedBy } from './adopted-by.ts'
import { byName, foundIn } from './found-in-view.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'

/** What of the hosts stands in the way of adopting their cluster, before that is asked. Pure. */
export function guardForeignHosts(view: HostsView, by: AdoptedBy): Finding[] {
  const seen = [...foundIn(view).hosts.values()].toSorted((a, b) => byName(a.name, b.name))
  return [
    ...unreached(view),
    ...seen.flatMap((host) => markFindings(view, host, by)),
    ...authorityFindings(seen, by),
    ...(seen.some(isControlPlane) ? [] : [withoutCluster()]),
    ...seen.flatMap((host) => partFindings(host)),
  ]
}

/** By its files: kubeadm made it one. */
export function isControlPlane({ traces }: SeenHost): boolean {
  return traces.hasAdminConf && traces.caHash !== undefined
}

/** The authorities of hosts, each once. */
export function authoritiesOf(seen: readonly SeenHost[]): string[] {
  return [...new Set(seen.flatMap(({ traces: { caHash } }) => caHash ?? []))]
}

/** What a host is of that nobody can look at is not known. */
function unreached({ hosts }: HostsView): Finding[] {
  return [...hosts.values()].flatMap((look) =>
    look.kind === 'seen'
      ? []
      : hostsFinding(
          'error',
          `${look.name} is not reached (${look.because}): nobody knows of which cluster it is`,
          'Bring it back; take one that is gone for good out of hosts, and its node and its member of etcd out of the cluster.',
        ),
  )
}

/** A host of a cluster of ours is never taken from that. */
function markFindings({ spec }: HostsView, { name, mark }: SeenHost, { uid }: AdoptedBy) {
  if (mark === undefined || mark.hasLeft || mark.uid === uid) return []
  return [
    hostsFinding(
      'error',
      `${name} is marked as a host of the cluster ${mark.cluster} (uid ${mark.uid})`,
      mark.cluster === spec.clusterName
        ? 'Run `hcloud-talos recover`: this cluster is one of ours, and its state is lost.'
        : `Take it out of hosts, or give this run the file of ${mark.cluster}.`,
    ),
  ]
}

function authorityFindings(seen: readonly SeenHost[], { authority }: AdoptedBy): Finding[] {
  const all = authoritiesOf(seen)
  const [first] = all
  if (all.length > 1) {
    const reports = seen.flatMap(({ name, traces: { caHash } }) =>
      caHash === undefined ? [] : [`${name} has ${caHash}`],
    )
    return [
      hostsFinding(
        'error',
        `the hosts are of more than one cluster, by their authorities: ${reports.join(', ')}`,
        'Take the hosts of the other cluster out of hosts.',
      ),
    ]
  }
  if (first === undefined || authority === undefined || first === authority) return []
  return [
    hostsFinding(
      'error',
      `the hosts have the authority ${first}, and the state is of a cluster with ${authority}`,
      'Check the addresses of the hosts, or write another clusterName.',
    ),
  ]
}

function withoutCluster(): Finding {
  return hostsFinding(
    'error',
    'no host of the file is a control plane that kubeadm made: there is nothing to adopt',
    'Check the addresses in hosts; to begin a new cluster on them, run `hcloud-talos apply`.',
  )
}

/** What we would neither see nor keep on a node. */
function partFindings(host: SeenHost): Finding[] {
  const { name, traces } = host
  const isNode = traces.hasKubeletConf && traces.caHash !== undefined
  return [
    ...(isControlPlane(host) && traces.staticPods['etcd'] === undefined
      ? [
          hostsFinding(
            'error',
            `${name} is a control plane without the static pod of etcd that kubeadm makes: etcd outside of the control planes is not adopted`,
            'Move etcd onto the control planes first, or leave this cluster as it is.',
          ),
        ]
      : []),
    ...(isNode && traces.versions.containerd === undefined
      ? [
          hostsFinding(
            'error',
            `${name} has no containerd: a cluster with another container runtime is not adopted`,
            'Change the runtime of this node to containerd first.',
          ),
        ]
      : []),
  ]
}
