import type { JsonObject } from '../../../lib/json.ts'
import { microTimestamp } from '../api/api-context.ts'
import { createUnlessThere } from '../api/create-object.ts'
import { updateObject } from '../api/update-object.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { controllerOf, withMeta, withSpec, withStatus } from '../model/kube-object.ts'
import { flagAt, objectAt, objectsAt, textAt } from '../model/read-json.ts'
import type { NodeRegistration } from '../node-registration.ts'
import { type ClusterContext, putStatus } from './cluster-context.ts'
import { conditionOf } from './conditions.ts'
import type { Controller } from './controller.ts'
import { mirrorPods } from './mirror-pods.ts'
import { ownedByNode } from './node-owner.ts'
import { kubeletStatus, silentStatus } from './node-status.ts'
import { freePodCidr, hasNetwork } from './pod-network.ts'
import { rebootedStatus } from './pod-status.ts'
import { recordEvent } from './record-event.ts'

/** How long a node may be silent before it counts as gone: the node monitor's grace period. */
export const gracePeriodMs = 50_000

/** The part of kubelets that keeps their Node objects: Ready as soon as the pod network runs there. */
export function kubeletNodes(context: ClusterContext): Controller {
  return {
    name: 'kubelet-nodes',
    concerns: ({ resource, object, type }) => {
      if (resource === 'pods') return [textAt(object, 'spec', 'nodeName')]
      return resource === 'nodes' && type === 'ADDED' ? [object.metadata.name] : []
    },
    reconcile: (name) => {
      const kubelet = context.kubelets.get(name)
      const node = context.api.store.get('nodes', name)
      if (!kubelet?.up || !node) return undefined
      const isReady = kubelet.registration.hasNetwork || hasNetwork(context, name)
      const now = textAt(conditionOf(node, 'Ready'), 'status') === 'True'
      if (isReady === now) return undefined
      const { registration } = kubelet
      putStatus(context, 'nodes', node, kubeletStatus(context, node, registration, isReady))
      const reason = isReady ? 'NodeReady' : 'NodeNotReady'
      const message = `Node ${name} status is now: ${reason}`
      recordEvent(context.api, node, {
        type: 'Normal',
        reason,
        message,
        source: 'kubelet',
        host: name,
      })
      return undefined
    },
  }
}

/** A kubelet comes up, for the first time or again: it makes its Node, or renews what it says. */
export function registerNode(
  context: ClusterContext,
  registration: NodeRegistration,
  ended: Set<string>,
): void {
  const { name } = registration
  const { api } = context
  const before = api.store.get('nodes', name)
  context.kubelets.set(name, { registration, up: true, ended })
  const node = before ? relabel(context, before, registration) : makeNode(context, registration)
  const booted = textAt(before, 'status', 'nodeInfo', 'bootID') !== registration.bootId
  for (const pod of context.pods.onNode(name)) resume(context, pod, node, booted)
  const network = registration.hasNetwork || (!booted && hasNetwork(context, name))
  putStatus(context, 'nodes', node, kubeletStatus(context, before ?? node, registration, network))
  renewLease(context, node)
  if (registration.roleControlPlane || registration.staticPods) {
    mirrorPods(context, node, registration)
  }
}

function makeNode(context: ClusterContext, registration: NodeRegistration): KubeObject {
  const { api } = context
  const { name, annotations, internalIp, taints, cloudProvider } = registration
  const podCIDR = freePodCidr(context)
  const uninitialized = {
    key: 'node.cloudprovider.kubernetes.io/uninitialized',
    value: 'true',
    effect: 'NoSchedule',
  }
  const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }
  const node: KubeObject = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: nodeLabels(registration),
      annotations: {
        'alpha.kubernetes.io/provided-node-ip': internalIp,
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
        ...annotations,
        ...ownedTaints(registration),
      },
    },
    spec: {
      podCIDR,
      podCIDRs: [podCIDR],
      taints: [...taints, ...(cloudProvider === 'none' ? [] : [uninitialized]), notReady],
    },
  }
  const nodes = api.resources.builtin('nodes')
  const made = createUnlessThere(api, nodes, node, { manager: 'kubelet' }) ?? node
  const csiNode: KubeObject = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name, ownerReferences: [ownedByNode(made)] },
    spec: { drivers: [] },
  }
  const csiNodes = api.resources.builtin('csinodes.storage.k8s.io')
  createUnlessThere(api, csiNodes, csiNode, { manager: 'kubelet' })
  return made
}

function nodeLabels(registration: NodeRegistration): Record<string, string> {
  const { name, arch = 'amd64', labels, roleControlPlane } = registration
  return {
    'beta.kubernetes.io/arch': arch,
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': arch,
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    ...(roleControlPlane
      ? {
          'node-role.kubernetes.io/control-plane': '',
          'node.kubernetes.io/exclude-from-external-load-balancers': '',
        }
      : {}),
    ...labels,
  }
}

function relabel(
  { api }: ClusterContext,
  node: KubeObject,
  registration: NodeRegistration,
): KubeObject {
  const { labels, annotations } = registration
  return updateObject(
    api,
    api.resources.builtin('nodes'),
    node.metadata.name,
    (live) =>
      withMeta(
        { ...live, ...(registration.roleControlPlane && { spec: retainted(live, registration) }) },
        {
          labels: { ...live.metadata.labels, ...labels },
          annotations: {
            ...live.metadata.annotations,
            ...annotations,
            ...ownedTaints(registration),
          },
        },
      ),
    { manager: 'kubelet' },
  )
}

const ownedTaintsKey = 'talos.dev/owned-taints'

/** Talos gives control planes their taints by itself, and writes down which are its own. */
function ownedTaints({ roleControlPlane, taints }: NodeRegistration): Record<string, string> {
  return roleControlPlane ? { [ownedTaintsKey]: JSON.stringify(taints.map(({ key }) => key)) } : {}
}

function retainted(live: KubeObject, { taints }: NodeRegistration): JsonObject {
  const owned: unknown = JSON.parse(live.metadata.annotations?.[ownedTaintsKey] ?? '[]')
  const former = Array.isArray(owned) ? owned : []
  const isOwn = (taint: JsonObject) =>
    former.includes(taint['key']) || taints.some(({ key }) => key === taint['key'])
  const others = objectsAt(live, 'spec', 'taints').filter((taint) => !isOwn(taint))
  const { taints: _, ...spec } = objectAt(live, 'spec') ?? {}
  return { ...spec, taints: [...others, ...taints] }
}

/** The lease is renewed when the kubelet comes up, not at each heartbeat: nothing reads it between. */
function renewLease({ api }: ClusterContext, node: KubeObject): void {
  const { name } = node.metadata
  const now = microTimestamp(api)
  const lease: KubeObject = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'kube-node-lease', ownerReferences: [ownedByNode(node)] },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: now },
  }
  const leases = api.resources.builtin('leases.coordination.k8s.io')
  const made = createUnlessThere(api, leases, lease, { manager: 'kubelet' })
  if (made) return
  const key = `kube-node-lease/${name}`
  const live = api.store.get('leases.coordination.k8s.io', key)
  if (!live) return
  const spec = { ...objectAt(live, 'spec'), renewTime: now }
  api.store.put('leases.coordination.k8s.io', withSpec(live, spec))
}

/** The kubelet falls silent: after the grace period its node counts as unreachable. */
export function nodeDown(context: ClusterContext, name: string): void {
  const kubelet = context.kubelets.get(name)
  if (!kubelet?.up) return
  const silent = { ...kubelet, up: false }
  context.kubelets.set(name, silent)
  context.later(gracePeriodMs, () => {
    const node = context.api.store.get('nodes', name)
    if (context.kubelets.get(name) !== silent || !node) return
    putStatus(context, 'nodes', node, silentStatus(context, node))
    for (const pod of context.pods.onNode(name)) markUnready(context, pod)
  })
}

/** Nodes that a recovered cluster remembers and whose kubelets do not come count as unreachable. */
export function expectKubelets(context: ClusterContext): void {
  for (const { metadata } of context.api.store.list('nodes')) {
    context.later(gracePeriodMs, () => {
      const node = context.api.store.get('nodes', metadata.name)
      if (context.kubelets.has(metadata.name) || !node) return
      putStatus(context, 'nodes', node, silentStatus(context, node))
      for (const pod of context.pods.onNode(metadata.name)) markUnready(context, pod)
    })
  }
}

function markUnready({ api }: ClusterContext, pod: KubeObject): void {
  setReady({ api }, pod, 'False')
}

function setReady(
  { api }: Pick<ClusterContext, 'api'>,
  pod: KubeObject,
  value: 'True' | 'False',
): void {
  const status = objectAt(pod, 'status')
  const conditions = objectsAt(status, 'conditions').map((condition) =>
    textAt(condition, 'type') === 'Ready' ? { ...condition, status: value } : condition,
  )
  if (conditions.length > 0) api.store.put('pods', withStatus(pod, { ...status, conditions }))
}

/** What a kubelet that comes up finds of a pod: after a boot it is to be restarted. */
function resume(context: ClusterContext, pod: KubeObject, node: KubeObject, booted: boolean): void {
  if (textAt(pod, 'status', 'phase') !== 'Running' || controllerOf(pod)?.kind === 'Node') return
  if (booted) putStatus(context, 'pods', pod, rebootedStatus(context, pod, node))
  else if (runs(pod)) setReady(context, pod, 'True')
}

function runs(pod: KubeObject): boolean {
  return objectsAt(pod, 'status', 'containerStatuses').every((status) => flagAt(status, 'ready'))
}
