import { knownNode, standingOf } from '../../kubeadm/cluster/found-cluster.ts'
import type { KubeadmTraces, SeenHost } from '../../kubeadm/host/seen-host.ts'
import type { Finding } from '../../lib/finding.ts'
import { firstControlPlane, foundIn } from './found-in-view.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'

/**
 * Refuses hosts of other clusters, and a beginning where any host shows that there was one: an authority that is made a
 * second time breaks etcd and all that joined by the first.
 */
export function guardAuthority(view: HostsView): Finding[] {
  const { spec, cluster } = view
  const found = foundIn(view)
  const authority = found.inventory?.authority
  const own =
    cluster && authority !== undefined && cluster.caHash !== authority
      ? [
          hostsFinding(
            'error',
            `the cluster that ${cluster.through} shows has the authority ${cluster.caHash}, and that of ${spec.clusterName} is ${authority}`,
            'Check the addresses of the hosts, and that the state branch is that of this cluster.',
          ),
        ]
      : []
  const first = firstControlPlane(view)
  const ofHosts = spec.hosts.flatMap(({ name }) => {
    const host = found.hosts.get(name)
    if (host === undefined) return []
    return authority === undefined ? beforeCluster(view, host, first) : inCluster(host, authority)
  })
  return [...own, ...ofHosts]
}

/** The state knows no authority: only the host on which one was being made may show one. */
function beforeCluster(view: HostsView, host: SeenHost, first: string | undefined): Finding[] {
  const { name, traces } = host
  const found = foundIn(view)
  const remains = remainsOf(traces)
  if (remains.length === 0) return []
  const isOurs = knownNode(found, name)?.host?.membership === 'joining'
  const others = (view.cluster?.members ?? []).filter((member) => member.name !== name)
  if (isOurs && name === first && others.length === 0) return []
  if (isOurs && name === first) {
    return [
      hostsFinding(
        'error',
        `kubeadm init was started on ${name} and did not end, and etcd there has ${others.length} more members: it is not reset`,
        'Restore the state branch as it was when these joined; without it, reset these hosts by hand.',
      ),
    ]
  }
  const what = traces.caHash === undefined ? remains.join(', ') : `the authority ${traces.caHash}`
  return [
    hostsFinding(
      'error',
      `${name} shows a cluster (${what}), and the state knows none: no second authority is made`,
      `If somebody made it by hand, run \`hcloud-talos adopt\`. Restore the state branch where it is the cluster of this file; where nobody needs it any more, run kubeadm reset on ${name}.`,
    ),
  ]
}

function inCluster(host: SeenHost, authority: string): Finding[] {
  const { name, traces } = host
  if (traces.caHash !== undefined && traces.caHash !== authority) {
    return [
      hostsFinding(
        'error',
        `${name} is of another cluster: its authority is ${traces.caHash}`,
        `Take it out of hosts; where nobody needs that cluster any more, run kubeadm reset on ${name}.`,
      ),
    ]
  }
  return []
}

/** What kubeadm left, as files. */
function remainsOf(traces: KubeadmTraces): string[] {
  return [
    ...(traces.caHash === undefined ? [] : ['ca.crt']),
    ...(traces.hasCaKey ? ['ca.key'] : []),
    ...(traces.hasAdminConf ? ['admin.conf'] : []),
    ...(traces.hasKubeletConf ? ['kubelet.conf'] : []),
    ...(traces.hasEtcdData ? ['data of etcd'] : []),
  ]
}

/** Remains without an authority say nothing of whose they are: what a run of ours left goes, and nothing else. */
export function guardRemains(view: HostsView): Finding[] {
  const found = foundIn(view)
  if (found.inventory?.authority === undefined) return []
  return view.spec.hosts.flatMap(({ name }) => {
    const host = found.hosts.get(name)
    if (host === undefined || standingOf(found, name) !== 'none') return []
    if (host.traces.caHash !== undefined) return []
    const remains = remainsOf(host.traces)
    if (remains.length === 0) return []
    return [
      hostsFinding(
        'error',
        `${name} has what kubeadm left of a cluster that nobody can name: ${remains.join(', ')}`,
        `Run kubeadm reset on ${name} where nobody needs it any more, and run again.`,
      ),
    ]
  })
}
