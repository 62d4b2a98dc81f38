import type { Inventory, InventoryNode } from '../../plan/inventory.ts'
import { oldestVersion } from '../../plan/running-kubernetes.ts'
import type { SeenHost } from '../host/seen-host.ts'
import type { SeenCluster, SeenNode } from './seen-cluster.ts'

/** What is known of a cluster: by the state, by its hosts and by itself. */
export interface FoundCluster {
  readonly inventory: Inventory | undefined
  /** Hosts that were reached, by name. */
  readonly hosts: ReadonlyMap<string, SeenHost>
  /** Undefined where there is none, or nobody could ask it. */
  readonly cluster: SeenCluster | undefined
}

type NodeRole = InventoryNode['role']

export function knownNode({ inventory }: FoundCluster, name: string): InventoryNode | undefined {
  return inventory?.nodes.find((node) => node.name === name)
}

export function seenNode({ cluster }: FoundCluster, name: string): SeenNode | undefined {
  return cluster?.nodes.find((node) => node.name === name)
}

/**
 * How a host stands to the cluster.
 * `none`: no node of it. `begun`: an act began that makes it one, and it is none yet. `member`: its node is there.
 * `unregistered`: its kubelet runs for the cluster, which has no node of it. `lost`: the cluster or the state has a node
 * of its name, and the host is not that node any more. `leaving`: its removal was started.
 */
export type Standing = 'none' | 'begun' | 'member' | 'unregistered' | 'lost' | 'leaving'

/** By what the host, the cluster and the state say together; of a host that was not reached the latter two. */
export function standingOf(found: FoundCluster, name: string): Standing {
  const { membership } = knownNode(found, name)?.host ?? {}
  if (membership === 'leaving') return 'leaving'
  const isKnown = membership === 'member' || seenNode(found, name) !== undefined
  if (isKnown && isOtherMachine(found, name)) return 'lost'
  const host = found.hosts.get(name)
  const wasReset = isKnown && host !== undefined && !host.traces.hasKubeletConf
  if (membership === 'joining') {
    return !wasReset && isComplete(found, name) ? 'member' : 'begun'
  }
  return wasReset ? 'lost' : standingByCluster(found, name)
}

/** Whether the host has another machine id than the node of its name. */
function isOtherMachine(found: FoundCluster, name: string): boolean {
  const host = found.hosts.get(name)
  if (host === undefined || host.machineId === '') return false
  const former = [knownNode(found, name)?.host?.machineId, seenNode(found, name)?.machineId]
  return former.some((id) => id !== undefined && id !== '' && id !== host.machineId)
}

function standingByCluster(found: FoundCluster, name: string): Standing {
  const wasMember = knownNode(found, name)?.host?.membership === 'member'
  if (found.cluster === undefined) return wasMember ? 'member' : 'none'
  if (seenNode(found, name) !== undefined) return 'member'
  return wasMember && found.inventory?.bootstrapped ? 'unregistered' : 'none'
}

/** Whether a node that joins is one: a control plane also has its member of etcd, and one that has started. */
function isComplete(found: FoundCluster, name: string): boolean {
  const { cluster } = found
  const node = seenNode(found, name)
  if (cluster === undefined || cluster.configuration === undefined || node === undefined) {
    return false
  }
  const isControlPlane = node.isControlPlane || knownNode(found, name)?.role === 'control-plane'
  if (!isControlPlane) return true
  return node.isControlPlane && cluster.members.some((one) => one.name === name && !one.isLearner)
}

/** Whether the host has a node that is there, or comes back by itself. */
export function isMember(found: FoundCluster, name: string): boolean {
  return ['member', 'unregistered'].includes(standingOf(found, name))
}

/** The role that a node has; undefined where there is none. */
export function runningRole(found: FoundCluster, name: string): NodeRole | undefined {
  const node = seenNode(found, name)
  if (node !== undefined) return node.isControlPlane ? 'control-plane' : 'worker'
  return knownNode(found, name)?.role
}

/** The names of all hosts that the state or the cluster knows as nodes of ours, or that were reached. */
function knownNames({ inventory, hosts }: FoundCluster): string[] {
  const names = [...(inventory?.nodes ?? []).map(({ name }) => name), ...hosts.keys()]
  return [...new Set(names)].sort()
}

/**
 * The Kubernetes that the cluster runs: that of its oldest API server, which no kubelet may be newer than. By the hosts
 * that were reached, else by what the cluster keeps of its configuration, else by the state.
 */
export function runningKubernetes(found: FoundCluster): string | undefined {
  const servers = knownNames(found)
    .filter((name) => isMember(found, name) && runningRole(found, name) === 'control-plane')
    .flatMap((name) => found.hosts.get(name)?.traces.staticPods['kube-apiserver'] ?? [])
  const written = found.cluster?.configuration?.['kubernetesVersion']
  const configured = typeof written === 'string' ? written.replace(/^v/, '') : undefined
  const remembered = (found.inventory?.nodes ?? [])
    .filter(({ role }) => role === 'control-plane')
    .map((node) => node.components?.['kube-apiserver'] ?? node.kubernetesVersion)
  return oldestVersion(servers) ?? configured ?? oldestVersion(remembered)
}
