import { isMember, seenNode } from '../../kubeadm/cluster/found-cluster.ts'
import { nodeTaints } from '../../kubeadm/config/node-registration.ts'
import { taintKey } from '../../kubeadm/kinds/node/node-taints.ts'
import type { Inventory, InventoryHost, InventoryNode } from '../../plan/inventory.ts'
import { differingComponents } from '../../plan/running-kubernetes.ts'
import { components as allComponents } from '../../spec/component.ts'
import type { HostSpec } from '../../spec/hosts/hosts-spec.ts'
import { recordLogin } from '../../spec/hosts/recorded-login.ts'
import { foundIn } from './found-in-view.ts'
import { hostNodes } from './host-nodes.ts'
import type { HostsView } from './hosts-view.ts'

/** What the state knows of a cluster that begins. */
export function firstInventory({ spec }: HostsView, uid: string): Inventory {
  return { clusterName: spec.clusterName, uid, nodes: [], addons: {}, bootstrapped: false }
}

/**
 * The inventory with all that is there, for the end of an apply that leaves nothing to do: hosts of the file as they
 * were seen. What was not reached stays as it was recorded; what left the file stays until its removal is recorded.
 */
export function recordHosts(inventory: Inventory, view: HostsView): Inventory {
  const slots = new Map(hostNodes(view.spec, inventory).map((node) => [node.name, node.slot]))
  const former = new Map(inventory.nodes.map((node) => [node.name, node]))
  const wanted = new Set(view.spec.hosts.map(({ name }) => name))
  const nodes = view.spec.hosts.flatMap((host) =>
    recordHost(view, host, slots.get(host.name) ?? 1, former.get(host.name)),
  )
  const left = inventory.nodes.filter(({ name }) => !wanted.has(name))
  const authority = inventory.authority ?? view.cluster?.caHash
  return {
    ...inventory,
    nodes: [...nodes, ...left],
    ...(authority !== undefined && { authority }),
  }
}

function recordHost(
  view: HostsView,
  host: HostSpec,
  slot: number,
  former: InventoryNode | undefined,
): InventoryNode[] {
  const found = foundIn(view)
  const look = view.hosts.get(host.name)
  if (look?.kind !== 'seen') return former ? [former] : []
  const { traces, machineId } = look.host
  const isNode = isMember(found, host.name)
  const kubelet = seenNode(found, host.name)?.kubeletVersion ?? traces.versions.kubelet
  const components =
    host.role === 'control-plane'
      ? differingComponents(componentsOf(traces.staticPods), kubelet)
      : undefined
  const recorded: InventoryHost = {
    login: recordLogin(host.login),
    address: host.address,
    hostKey: look.hostKey,
    machineId: machineId || former?.host?.machineId,
    onRemove: host.onRemove,
    ...(isNode && {
      membership: 'member',
      given: {
        labels: Object.keys(host.labels).sort(),
        taints: nodeTaints(view.spec, host).map(taintKey).sort(),
      },
    }),
  }
  return [
    {
      name: host.name,
      role: host.role === 'control-plane' ? 'control-plane' : 'worker',
      pool: host.role,
      slot,
      privateIp: host.nodeIp,
      ...(isNode && kubelet !== undefined && { kubernetesVersion: kubelet }),
      ...(isNode && components && { components }),
      host: recorded,
    },
  ]
}

function componentsOf(staticPods: Readonly<Record<string, string>>) {
  const known = allComponents.flatMap((component) => {
    const version = staticPods[component]
    return version === undefined ? [] : [[component, version] as const]
  })
  return Object.fromEntries(known)
}
