import {
  type FoundCluster,
  knownNode,
  seenNode,
  standingOf,
} from '../../kubeadm/cluster/found-cluster.ts'
import { controlPlaneEndpoint } from '../../kubeadm/config/control-plane-endpoint.ts'
import { failedChecks } from '../../kubeadm/host/failed-checks.ts'
import { type NodeStatus, withV } from '../cluster-status.ts'
import { foundIn } from './found-in-view.ts'
import type { HostsView } from './hosts-view.ts'

export function describeEndpoint({ spec }: HostsView): string {
  return `https://${controlPlaneEndpoint(spec)}`
}

export function describeNodes(view: HostsView): NodeStatus[] {
  const { nodes, generation } = view
  const found = foundIn(view)
  const asked = new Set(nodes.map(({ name }) => name))
  const former = (generation?.inventory.nodes ?? []).filter(({ name }) => !asked.has(name))
  return [...nodes, ...former].map((node) => describeNode(node, view, found))
}

function describeNode(
  { name, role, pool, privateIp }: Pick<NodeStatus, 'name' | 'role' | 'pool'> & PrivateAddress,
  view: HostsView,
  found: FoundCluster,
): NodeStatus {
  const { traces } = found.hosts.get(name) ?? {}
  const node = seenNode(found, name)
  const { kubelet, containerd } = traces?.versions ?? {}
  const version = node?.kubeletVersion ?? kubelet
  const ends = traces?.certificatesEnd
  return {
    name,
    role,
    pool,
    address: addressOf(view, name),
    internalAddress: privateIp,
    machine: describeHost(found, name),
    system: containerd === undefined ? null : `containerd ${containerd}`,
    kubernetes: version === undefined ? null : withV(version),
    ready: node?.isReady ?? null,
    because: whyNot(view, name),
    cordonedBy: node?.cordonedBy ?? null,
    certificatesEnd: ends === undefined ? null : new Date(ends).toISOString(),
  }
}

interface PrivateAddress {
  readonly privateIp: string
}

function addressOf({ spec, generation }: HostsView, name: string): string | null {
  const inFile = spec.hosts.find((host) => host.name === name)
  const known = generation?.inventory.nodes.find((node) => node.name === name)
  return inFile?.address ?? known?.host?.address ?? null
}

function describeHost(found: FoundCluster, name: string): NodeStatus['machine'] {
  const host = found.hosts.get(name)
  return {
    kind: 'host',
    state: host === undefined ? 'unreached' : 'running',
    id: host?.machineId ?? knownNode(found, name)?.host?.machineId ?? null,
    type: host?.traces.arch ?? null,
    place: null,
  }
}

/** What stands in its way, the worst first. */
function whyNot(view: HostsView, name: string): string | null {
  const look = view.hosts.get(name)
  if (!view.spec.hosts.some((host) => host.name === name)) {
    return 'the file does not ask for it any more'
  }
  if (look?.kind !== 'seen') return `it is not reached: ${look?.because ?? 'nobody looked'}`
  const found = foundIn(view)
  const standing = standings[standingOf(found, name)]
  if (standing !== undefined) return standing
  const notReady = seenNode(found, name)?.notReadyBecause
  if (notReady !== undefined) return notReady
  const { byApply, byPeople } = failedChecks(look.host.evidence)
  const [check] = [...byPeople, ...byApply]
  return check === undefined ? null : `${check.check}: ${check.seen}`
}

const standings: Readonly<Partial<Record<ReturnType<typeof standingOf>, string>>> = {
  none: 'it is no node yet',
  begun: 'what makes it a node was started and did not end',
  unregistered: 'its kubelet runs, and Kubernetes does not know it',
  lost: 'its host is not that node any more',
  leaving: 'its removal was started',
}
