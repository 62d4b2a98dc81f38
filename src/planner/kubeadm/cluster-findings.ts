import { knownNode, runningKubernetes } from '../../kubeadm/cluster/found-cluster.ts'
import { describeMember, strayMembers } from '../../kubeadm/cluster/stray-members.ts'
import type { Finding } from '../../lib/finding.ts'
import { compareVersions, parseVersion } from '../../spec/tables/version-matrix.ts'
import { foundIn } from './found-in-view.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'

/** How long before its end a certificate is reported: kubeadm's are good for a year. */
const reportedForMs = 30 * 24 * 3_600_000

/** How many minors a kubelet may be older than the API server. */
const mostMinorsBehind = 3

/** What is doubtful or wrong in the cluster itself, whoever plans. */
export function clusterFindings(view: HostsView, now: number): Finding[] {
  return [
    ...strangers(view),
    ...evenMembers(view),
    ...addressHolders(view),
    ...kubeletSkew(view),
    ...certificateEnds(view, now),
    ...missingInterfaces(view),
  ]
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

function certificateEnds(view: HostsView, now: number): Finding[] {
  return [...foundIn(view).hosts.values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, traces: { certificatesEnd } }) => {
      if (certificatesEnd === undefined || certificatesEnd - now > reportedForMs) return []
      const day = new Date(certificatesEnd).toISOString().slice(0, 10)
      const what = certificatesEnd <= now ? 'ended' : 'ends'
      return [
        hostsFinding(
          'warning',
          `the first certificate of ${name} ${what} on ${day}`,
          'Upgrade Kubernetes, which renews them, or run kubeadm certs renew all on the host.',
        ),
      ]
    })
}
