import type { JsonObject } from '../../../lib/json.ts'
import { timestamp } from '../api/api-context.ts'
import { deleteObject } from '../api/delete-object.ts'
import { updateObject } from '../api/update-object.ts'
import { type KubeObject, withMeta, withSpec } from '../model/kube-object.ts'
import { objectAt, objectsAt, textAt } from '../model/read-json.ts'
import { variableOf } from './cloud-settings.ts'
import { type ClusterContext, type Kubelet, putStatus } from './cluster-context.ts'
import { conditionOf, withCondition } from './conditions.ts'
import type { Controller } from './controller.ts'
import { recordEvent } from './record-event.ts'
import { isOf, readyPodsOf } from './running-workload.ts'

const program = 'hcloud-cloud-controller-manager'
/** How often it asks Hetzner for the server of a node that is not Ready. */
const pollMs = 60_000
const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized'

/** Hetzner's cloud controller manager, while a pod of it is ready: it makes nodes known to the cloud. */
export function cloudController(context: ClusterContext): Controller {
  const { store } = context.api
  const nodes = () => store.list('nodes').map(({ metadata }) => metadata.name)
  return {
    name: program,
    concerns: ({ resource, object, type }) => {
      if (resource === 'nodes') return type === 'DELETED' ? [] : [object.metadata.name]
      return resource === 'pods' && isOf(object, program) ? nodes() : []
    },
    reconcile: (name) => {
      const node = store.get('nodes', name)
      const kubelet = context.kubelets.get(name)
      if (!node || !(isUninitialized(node) || isNotReady(node))) return undefined
      const [manager] = readyPodsOf(context, program)
      if (manager && isUninitialized(node)) {
        if (kubelet) initialize(context, node, kubelet, manager)
      } else if (manager) removeIfGone(context, node)
      return isNotReady(node) ? pollMs : undefined
    },
  }
}

/** Silent, or up and not Ready yet: of either it asks Hetzner whether the server exists. */
function isNotReady(node: KubeObject): boolean {
  return textAt(conditionOf(node, 'Ready'), 'status') !== 'True'
}

function isUninitialized(node: KubeObject): boolean {
  return objectsAt(node, 'spec', 'taints').some((taint) => textAt(taint, 'key') === uninitialized)
}

/**
 * A node whose server does not exist any more goes. It knows the server by the provider id alone: a
 * new server of the same name does not keep the Node of the old one.
 */
function removeIfGone({ api, cloud }: ClusterContext, node: KubeObject): void {
  const [, serverId] = /^hcloud:\/\/(\d+)$/.exec(textAt(node, 'spec', 'providerID')) ?? []
  if (serverId === undefined || !cloud.isGone(Number(serverId))) return
  deleteObject(api, api.resources.builtin('nodes'), node.metadata.name)
}

function initialize(
  context: ClusterContext,
  node: KubeObject,
  kubelet: Kubelet,
  manager: KubeObject,
): void {
  const { api } = context
  const { internalIp, externalIp, serverId, name } = kubelet.registration
  const inNetwork = variableOf(context, manager, 'HCLOUD_NETWORK') !== ''
  if (!inNetwork && internalIp !== externalIp) {
    recordEvent(api, node, {
      type: 'Warning',
      reason: 'FailedToInitialize',
      message: `failed to get node address from cloud provider that matches ip: ${internalIp}`,
      source: 'cloud-node-controller',
    })
    return
  }
  const { serverType, location } = context.cloud.server(serverId) ?? unknownServer
  const zone = zones[location] ?? location
  const labels = {
    'node.kubernetes.io/instance-type': serverType,
    'beta.kubernetes.io/instance-type': serverType,
    'topology.kubernetes.io/region': location,
    'topology.kubernetes.io/zone': zone,
    'failure-domain.beta.kubernetes.io/region': location,
    'failure-domain.beta.kubernetes.io/zone': zone,
    'instance.hetzner.cloud/provided-by': 'cloud',
  }
  const known = updateObject(
    api,
    api.resources.builtin('nodes'),
    name,
    (live) =>
      withMeta(initialized(live, serverId), { labels: { ...live.metadata.labels, ...labels } }),
    { manager: program },
  )
  const conditions = withCondition(
    objectsAt(known, 'status', 'conditions'),
    {
      type: 'NetworkUnavailable',
      status: 'False',
      reason: 'RouteCreated',
      message: 'RouteController created a route',
    },
    timestamp(api),
    { lastHeartbeatTime: timestamp(api) },
  )
  const addresses: JsonObject[] = [
    // As the kubelet left them; what the cloud adds comes last.
    { type: 'InternalIP', address: internalIp },
    { type: 'Hostname', address: name },
    ...(externalIp === undefined ? [] : [{ type: 'ExternalIP', address: externalIp }]),
  ]
  putStatus(context, 'nodes', known, { ...objectAt(known, 'status'), addresses, conditions })
}

/** The datacenters of old, which the manager still tells as zones; a location that never had one is its own. */
const zones: Readonly<Record<string, string>> = {
  ash: 'ash-dc1',
  fsn1: 'fsn1-dc14',
  hel1: 'hel1-dc2',
  hil: 'hil-dc1',
  nbg1: 'nbg1-dc3',
  sin: 'sin-dc1',
}

const unknownServer = { serverType: 'cpx21', location: 'hel1' }

function initialized(node: KubeObject, serverId: number): KubeObject {
  const spec = objectAt(node, 'spec')
  const taints = objectsAt(spec, 'taints').filter((taint) => textAt(taint, 'key') !== uninitialized)
  const { taints: _, ...rest } = spec
  const providerID = `hcloud://${serverId}`
  return withSpec(
    node,
    taints.length === 0 ? { ...rest, providerID } : { ...rest, providerID, taints },
  )
}
