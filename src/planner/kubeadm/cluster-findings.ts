import { dayOf, endsSoonMs } from '../../kubeadm/cluster/certificate-ends.ts'
import { knownNode, runningKubernetes } from '../../kubeadm/cluster/found-cluster.ts'
import { describeMember, strayMembers } from '../../kubeadm/cluster/stray-members.ts'
import type { Finding } from '../../lib/finding.ts'
import { compareVersions, parseVersion } from '../../spec/tables/version-matrix.ts'
import { byName, foundIn } from './found-in-view.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'

/** How many minors a kubelet may be older than the API server. */
const mostMinorsBehind = 3

/** What is doubtful or wrong in the cluster itself, whoever plans. */
export function clusterFindings(view: HostsView, now: number): Finding[] {
  return [...shapeFindings(view), ...certificateEnds(view, now), ...missingInterfaces(view)]
}

/** The same of what the cluster consists of: its nodes, the members of etcd, and who has its address. */
export function shapeFindings(view: HostsView): Finding[] {
  return [...strangers(view), ...evenMembers(view), ...addressHolders(view), ...kubeletSkew(view)]
}

/** Nodes and members that neither the file nor the state knows: they are left alone, and named. */
function strangers(view: HostsView): Finding[] {
  const found = foundIn(view)
  const wanted = new Set(view.spec.hosts.map(({ name }) => name))
  const nodes = (view.cluster?.nodes ?? [])
    .map(({ name }) => name)
    .filter((name) => !wanted.has(name) && knownNode(found, name) === undefined)
    .toSorted()
    .map((name) =>
      hostsFinding(
        'warning',
        `the cluster has a node ${name}, which neither hosts nor the state knows: it is left alone`,
        'Add its host to hosts, or remove the node by hand.',
      ),
    )
  const members = strayMembers(found, wanted).foreign.map((member) =>
    hostsFinding(
      'error',
      `etcd has a member ${describeMember(member)} of no host that is known, and it answers`,
      'Add its host to hosts, or remove the member by hand.',
    ),
  )
  return [...nodes, ...members]
}

function evenMembers({ cluster, spec }: HostsView): Finding[] {
  const voting = (cluster?.members ?? []).filter(({ isLearner }) => !isLearner)
  const wanted = spec.hosts.filter(({ role }) => role === 'control-plane').length
  if (voting.length < 2 || voting.length % 2 === 1) return []
  return [
    hostsFinding(
      'warning',
      `etcd has ${voting.length} members, which bear the loss of no more than ${voting.length - 1} do; the file has ${wanted} control planes`,
      'Let an apply end, so that there are as many as the file names.',
    ),
  ]
}

/** One host alone has the virtual IP: with two, connections end on either. */
function addressHolders(view: HostsView): Finding[] {
  const { endpoint } = view.spec.kubeadm
  if (endpoint.type !== 'virtualIp' || view.cluster === undefined) return []
  const holders = [...foundIn(view).hosts.values()]
    .filter(({ traces }) => traces.holdsVip)
    .map(({ name }) => name)
    .toSorted()
  const isSeen = [...view.hosts.values()].every(({ kind }) => kind === 'seen')
  if (holders.length === 1 || (holders.length === 0 && !isSeen)) return []
  return [
    hostsFinding(
      'warning',
      holders.length === 0
        ? `no host has the virtual IP ${endpoint.address}`
        : `the virtual IP ${endpoint.address} is on ${holders.join(' and ')} at once`,
      'Look at kube-vip on these hosts: one of them alone may have the address.',
      ['kubeadm', 'endpoint'],
    ),
  ]
}

/** kube-vip is given the interface by which its host reaches the address. */
function missingInterfaces(view: HostsView): Finding[] {
  const { endpoint } = view.spec.kubeadm
  if (endpoint.type !== 'virtualIp' || endpoint.interface !== undefined) return []
  const found = foundIn(view)
  return view.spec.hosts
    .filter(({ role }) => role === 'control-plane')
    .filter(({ name }) => found.hosts.get(name)?.traces.vipInterface === undefined)
    .filter(({ name }) => found.hosts.has(name))
    .map(({ name }) =>
      hostsFinding(
        'error',
        `${name} has no interface by which it reaches the virtual IP ${endpoint.address}`,
        'Write kubeadm.endpoint.virtualIp.interface, or choose an address in the network of the control planes.',
        ['kubeadm', 'endpoint'],
      ),
    )
}

/** No kubelet is newer than the API server, or more than three minors older. */
function kubeletSkew(view: HostsView): Finding[] {
  const server = parseVersion(runningKubernetes(foundIn(view)) ?? '')
  if (server === undefined) return []
  const path = ['kubernetes', 'version']
  return (view.cluster?.nodes ?? []).flatMap(({ name, kubeletVersion }) => {
    const kubelet = parseVersion(kubeletVersion)
    if (kubelet === undefined) return []
    const text = `${server.major}.${server.minor}.${server.patch}`
    if (compareVersions(kubelet, server) > 0) {
      return [
        hostsFinding(
          kubelet.minor > server.minor ? 'error' : 'warning',
          `the kubelet of ${name} is ${kubeletVersion}, newer than the API server, which is ${text}`,
          'Upgrade the cluster (`hcloud-talos upgrade`), or replace the node by name (--replace).',
          path,
        ),
      ]
    }
    if (server.minor - kubelet.minor <= mostMinorsBehind) return []
    return [
      hostsFinding(
        'error',
        `the kubelet of ${name} is ${kubeletVersion}, more than ${mostMinorsBehind} minors older than the API server, which is ${text}`,
        `Replace the node by name: --replace ${name}.`,
        path,
      ),
    ]
  })
}

/** What a plan does not renew: authorities, what a cluster cannot be asked for, and what kubelets do not rotate. */
function certificateEnds(view: HostsView, now: number): Finding[] {
  const hosts = [...foundIn(view).hosts.values()].toSorted((a, b) => byName(a.name, b.name))
  const isDue = (end: number | undefined): end is number =>
    end !== undefined && end - now <= endsSoonMs
  return hosts.flatMap(({ name, traces }) => {
    const { certificatesEnd, authoritiesEnd, hasFixedKubeletClient } = traces
    const ends = (end: number) => `${end <= now ? 'ended' : 'ends'} on ${dayOf(end)}`
    return [
      ...(isDue(authoritiesEnd)
        ? [
            hostsFinding(
              'warning',
              `the first authority of ${name} ${ends(authoritiesEnd)}`,
              'Move to a new cluster before that day: no command of kubeadm renews an authority.',
            ),
          ]
        : []),
      ...(isDue(certificatesEnd) && view.cluster === undefined
        ? [
            hostsFinding(
              'warning',
              `the first certificate of ${name} ${ends(certificatesEnd)}, and the cluster cannot be asked`,
              'Run kubeadm certs renew all on the host, restart its static pods, and apply again.',
            ),
          ]
        : []),
      ...(hasFixedKubeletClient && knownNode(foundIn(view), name)?.host?.membership === 'member'
        ? [
            hostsFinding(
              'warning',
              `the kubelet of ${name} has a client certificate in its kubelet.conf, which it does not renew`,
              'Name /var/lib/kubelet/pki/kubelet-client-current.pem there as its certificate and key, and restart the kubelet.',
            ),
          ]
        : []),
    ]
  })
}
