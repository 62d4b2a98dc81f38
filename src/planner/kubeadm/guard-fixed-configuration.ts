import {
  type ComparedConfiguration,
  comparedConfiguration,
} from '../../kubeadm/cluster/compared-configuration.ts'
import { seenNode } from '../../kubeadm/cluster/found-cluster.ts'
import { clusterConfiguration } from '../../kubeadm/config/cluster-configuration.ts'
import type { Finding } from '../../lib/finding.ts'
import { foundIn } from './found-in-view.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'

interface Fixed {
  readonly setting: 'endpoint' | 'podRange' | 'serviceRange' | 'dnsDomain'
  readonly path: readonly string[]
  /** What would happen, as a sentence without its end. */
  readonly would: string
}

/** What a cluster is born with. */
const allFixed: readonly Fixed[] = [
  {
    setting: 'endpoint',
    path: ['kubeadm', 'endpoint'],
    would: 'certificates and every kubeconfig name the former address',
  },
  {
    setting: 'podRange',
    path: ['network', 'podRange'],
    would: 'each node keeps the part of the former range that it was given',
  },
  {
    setting: 'serviceRange',
    path: ['network', 'serviceRange'],
    would: 'Services keep their addresses, those of DNS and of the Kubernetes API among them',
  },
  {
    setting: 'dnsDomain',
    path: ['network', 'dnsDomain'],
    would: 'pods that run keep the former domain, and certificates name it',
  },
]

/** Refuses another value of what a cluster is born with, as the cluster itself keeps it. */
export function guardFixedConfiguration(
  view: HostsView,
  replace: readonly string[] = [],
): Finding[] {
  const { cluster, spec } = view
  if (cluster?.configuration === undefined) return []
  const running = comparedConfiguration(cluster.configuration)
  const wanted = comparedConfiguration(clusterConfiguration(spec))
  return [
    ...allFixed.flatMap((fixed) => refuse(fixed, running, wanted)),
    ...guardKubeProxy(running, wanted),
    ...guardAddresses(view, replace),
  ]
}

function refuse(
  { setting, path, would }: Fixed,
  running: ComparedConfiguration,
  wanted: ComparedConfiguration,
): Finding[] {
  const before = running[setting]
  if (before === undefined || before === wanted[setting]) return []
  return [
    {
      severity: 'error',
      path,
      message: `${path.join('.')} of the running cluster is ${before} and cannot become ${wanted[setting] ?? 'nothing'}: ${would}`,
      hint: `Keep ${before}; another value takes a new cluster.`,
    },
  ]
}

/** kubeadm installs kube-proxy when the cluster begins, and never removes it. */
function guardKubeProxy(running: ComparedConfiguration, wanted: ComparedConfiguration): Finding[] {
  if (running.hasKubeProxy === wanted.hasKubeProxy) return []
  const message = running.hasKubeProxy
    ? 'the running cluster has kube-proxy, and Cilium would do its work a second time'
    : 'the running cluster has no kube-proxy, and without Cilium nobody would do its work'
  const hint = 'Keep cni.type as it was; another one takes a new cluster.'
  return [{ severity: 'error', path: ['cni', 'type'], message, hint }]
}

/** The member of etcd and the certificates of a node name its address. */
function guardAddresses(view: HostsView, replace: readonly string[]): Finding[] {
  const found = foundIn(view)
  return view.spec.hosts.flatMap(({ name, nodeIp }) => {
    const node = seenNode(found, name)
    if (node?.internalIp === undefined || node.internalIp === nodeIp) return []
    if (replace.includes(name)) return []
    return [
      hostsFinding(
        'error',
        `the node ${name} has the address ${node.internalIp}, and the file has ${nodeIp}: its certificates, and its member of etcd, name the former one`,
        `Keep ${node.internalIp} as its nodeIp, or let it join again with the other one: --replace ${name}.`,
      ),
    ]
  })
}
