import type { JsonObject } from '../../../lib/json.ts'
import { timestamp } from '../api/api-context.ts'
import type { KubeObject } from '../model/kube-object.ts'
import { objectAt, objectsAt } from '../model/read-json.ts'
import type { NodeRegistration } from '../node-registration.ts'
import type { ClusterContext } from './cluster-context.ts'
import { type ConditionChange, withCondition } from './conditions.ts'

const healthy: readonly ConditionChange[] = [
  {
    type: 'MemoryPressure',
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  {
    type: 'DiskPressure',
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  },
  {
    type: 'PIDPressure',
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  },
]

const ready: ConditionChange = {
  type: 'Ready',
  status: 'True',
  reason: 'KubeletReady',
  message: 'kubelet is posting ready status',
}

const waitsForNetwork: ConditionChange = {
  type: 'Ready',
  status: 'False',
  reason: 'KubeletNotReady',
  message:
    'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized',
}

/** What a kubelet that is up says of its node. */
export function kubeletStatus(
  context: ClusterContext,
  node: KubeObject | undefined,
  registration: NodeRegistration,
  networkReady: boolean,
): JsonObject {
  const now = timestamp(context.api)
  const stamps = { lastHeartbeatTime: now }
  const conditions = [...healthy, networkReady ? ready : waitsForNetwork].reduce(
    (list, condition) => withCondition(list, condition, now, stamps),
    objectsAt(node, 'status', 'conditions'),
  )
  const status = objectAt(node, 'status')
  return {
    ...status,
    capacity: { ...size, cpu: '4', memory: '7935200Ki' },
    allocatable: { ...size, cpu: '3950m', memory: '7423200Ki' },
    conditions,
    addresses: status['addresses'] ?? ownAddresses(registration),
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    nodeInfo: nodeInfo(registration),
  }
}

const size = { 'ephemeral-storage': '78425224Ki', 'hugepages-2Mi': '0', pods: '110' }

function ownAddresses({ internalIp, name }: NodeRegistration): JsonObject[] {
  return [
    { type: 'InternalIP', address: internalIp },
    { type: 'Hostname', address: name },
  ]
}

function nodeInfo(registration: NodeRegistration): JsonObject {
  const { bootId, osImage, kubeletVersion, arch = 'amd64', serverId } = registration
  const id = registration.machineId ?? serverId.toString(16).padStart(32, '0')
  return {
    architecture: arch,
    bootID: bootId,
    containerRuntimeVersion: registration.runtime ?? 'containerd://2.0.1',
    kernelVersion: '6.12.6-talos',
    kubeProxyVersion: '',
    kubeletVersion,
    machineID: id,
    operatingSystem: 'linux',
    osImage,
    systemUUID: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  }
}

/** What stands there when nobody has heard of the kubelet for too long. */
export function silentStatus(context: ClusterContext, node: KubeObject): JsonObject {
  const now = timestamp(context.api)
  const types = [...healthy.map(({ type }) => type), 'Ready']
  const conditions = types.reduce<JsonObject[]>(
    (list, type) =>
      withCondition(
        list,
        {
          type,
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
        },
        now,
        { lastHeartbeatTime: now },
      ),
    objectsAt(node, 'status', 'conditions'),
  )
  return { ...objectAt(node, 'status'), conditions }
}
