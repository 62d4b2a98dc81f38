import { seenNode } from '../../kubeadm/cluster/found-cluster.ts'
import type { SeenNode } from '../../kubeadm/cluster/seen-cluster.ts'
import type { SeenHost } from '../../kubeadm/host/seen-host.ts'
import type { Finding } from '../../lib/finding.ts'
import type { HostSpec } from '../../spec/hosts/hosts-spec.ts'
import { foundIn } from './found-in-view.ts'
import { hostsFinding } from './hosts-finding.ts'
import type { HostsView } from './hosts-view.ts'

/**
 * Hosts of the file against the nodes of the cluster, by machine id: a name alone would take one host for another. Pure.
 */
export function guardForeignNodes(view: HostsView): Finding[] {
  const found = foundIn(view)
  const { spec, cluster } = view
  const pairs = spec.hosts.flatMap((host) => {
    const seen = found.hosts.get(host.name)
    return seen === undefined ? [] : [{ host, seen, node: nodeOf(view, host, seen) }]
  })
  const matched = new Set(pairs.flatMap(({ node }) => node?.name ?? []))
  const named = new Set(spec.hosts.map(({ name }) => name))
  const others = (cluster?.nodes ?? []).filter(({ name }) => !matched.has(name) && !named.has(name))
  return [
    ...pairs.flatMap(({ host, seen, node }) =>
      node === undefined ? withoutNode(view, host, seen) : asNode(host, node),
    ),
    ...others.map(notInFile),
  ]
}

function nodeOf({ cluster }: HostsView, { name }: HostSpec, { machineId }: SeenHost) {
  const nodes = cluster?.nodes ?? []
  const byMachine = nodes.find((node) => machineId !== '' && node.machineId === machineId)
  // One of the two has no id that could be compared.
  return byMachine ?? nodes.find((node) => node.name === name && !(machineId && node.machineId))
}

function asNode({ name, address, role }: HostSpec, node: SeenNode): Finding[] {
  if (node.name !== name) {
    return [
      hostsFinding(
        'error',
        `the host ${name} (${address}) is the node ${node.name} of the running cluster, by its machine id`,
        `Write name: ${node.name} for it: a node keeps its name.`,
      ),
    ]
  }
  if (node.isControlPlane === (role === 'control-plane')) return []
  const running = node.isControlPlane ? 'control-plane' : 'worker'
  return [
    hostsFinding(
      'error',
      `the node ${name} of the running cluster is ${node.isControlPlane ? 'a control plane' : 'a worker'}, and the file has it as ${role}`,
      `Write role: ${running} for it; another role is a change of its own afterwards.`,
    ),
  ]
}

/** One that is bare is new, and joins with an apply. */
function withoutNode(view: HostsView, { name, address }: HostSpec, { traces }: SeenHost) {
  if (seenNode(foundIn(view), name) !== undefined) {
    return [
      hostsFinding(
        'error',
        `the node ${name} of the running cluster is another machine than the host at ${address}`,
        `Check the address of ${name}.`,
      ),
    ]
  }
  if (traces.caHash === undefined) return []
  return [
    hostsFinding(
      'error',
      `${name} has files of the running cluster, which has no node of it`,
      `Restart the kubelet of ${name}, so that it registers its node; or take it out of hosts, or run kubeadm reset on it.`,
    ),
  ]
}

/** A control plane that nobody can reach could be neither judged nor kept in order. */
function notInFile({ name, isControlPlane, internalIp }: SeenNode): Finding {
  const place = internalIp === undefined ? '' : ` (${internalIp})`
  return isControlPlane
    ? hostsFinding(
        'error',
        `the control plane ${name}${place} of the running cluster is not in hosts`,
        `Add its host to hosts as ${name} with role: control-plane; remove its node and its member of etcd first if it is gone for good.`,
      )
    : hostsFinding(
        'warning',
        `the node ${name}${place} of the running cluster is not in hosts: it is left alone`,
        `Add its host to hosts as ${name}, if it is to be one of this file.`,
      )
}
