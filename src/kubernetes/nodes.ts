import type { Clock } from '../lib/clock.ts'
import { isJsonObject } from '../lib/json.ts'
import {
  fieldAt,
  type KubernetesObject,
  listAt,
  type ObjectRef,
  textAt,
  textsAt,
} from '../lib/kubernetes-object.ts'
import { type Checked, waitFor } from '../lib/wait-for.ts'
import { isApiAway } from './api-refusal.ts'
import type { KubernetesClient } from './kubernetes-client.ts'
import { isOfOtherServer, type NodeOnServer } from './node-server.ts'
import { condition } from './readiness.ts'

export interface NodeTaint {
  readonly key: string
  readonly value: string | undefined
  readonly effect: string
}

/** A node as Kubernetes sees it. */
export interface KubernetesNode {
  readonly name: string
  readonly ready: boolean
  /** Whether Kubernetes hears of its kubelet no more, as it finds out after forty seconds. */
  readonly silent: boolean
  /** Why it is not Ready, in the kubelet's words. */
  readonly notReadyBecause: string | undefined
  /** `hcloud://123`, once the cloud controller manager has been there. */
  readonly providerId: string | undefined
  readonly osImage: string
  /** `v1.9.0` where it runs Talos. */
  readonly talosVersion: string | undefined
  readonly kubeletVersion: string
  /** Changes with each boot of the machine. */
  readonly bootId: string
  /** `/etc/machine-id` of its operating system. */
  readonly machineId: string
  readonly unschedulable: boolean
  /** Who cordoned it, where that was us. */
  readonly cordonedBy: string | undefined
  readonly taints: readonly NodeTaint[]
  readonly internalIp: string | undefined
  readonly externalIp: string | undefined
  readonly controlPlane: boolean
  readonly labels: Readonly<Record<string, string>>
}

/** What a kubelet says that only lacks a pod network. */
const networkMissing = /network plugin|NetworkReady=false|NetworkPluginNotReady/i

/** Whether nothing is wrong with a node but that it has no pod network, which somebody else brings. */
export function lacksOnlyNetwork({ ready, notReadyBecause }: KubernetesNode): boolean {
  return !ready && networkMissing.test(notReadyBecause ?? '')
}

/** Marks a cordon as ours, so that we never undo somebody else's. */
const cordonAnnotation = 'hcloud-talos/cordoned-by'

/** The taint that a cloud controller manager takes away once it knows the node. */
export const uninitializedTaint = 'node.cloudprovider.kubernetes.io/uninitialized'

export function nodeRef(name: string): ObjectRef {
  return { apiVersion: 'v1', kind: 'Node', name }
}

export async function listNodes(client: KubernetesClient): Promise<KubernetesNode[]> {
  return (await client.list({ apiVersion: 'v1', kind: 'Node' })).map(readNode)
}

export async function getNode(
  client: KubernetesClient,
  name: string,
): Promise<KubernetesNode | undefined> {
  const object = await client.get(nodeRef(name))
  return object && readNode(object)
}

export function readNode(object: KubernetesObject): KubernetesNode {
  const ready = condition(object, 'Ready')
  const info = (name: string) => textAt(object, 'status', 'nodeInfo', name) ?? ''
  const address = (type: string) =>
    textAt(
      listAt(object, 'status', 'addresses').find((one) => textAt(one, 'type') === type),
      'address',
    )
  const labels = textsAt(object, 'metadata', 'labels')
  return {
    name: object.metadata.name,
    ready: ready?.status === 'True',
    silent: ready?.status === 'Unknown',
    notReadyBecause:
      ready?.status === 'True'
        ? undefined
        : ready?.message || ready?.reason || 'its kubelet has not reported yet',
    providerId: textAt(object, 'spec', 'providerID'),
    osImage: info('osImage'),
    talosVersion: /^Talos \((v[^)]+)\)$/.exec(info('osImage'))?.[1],
    kubeletVersion: info('kubeletVersion'),
    bootId: info('bootID'),
    machineId: info('machineID'),
    unschedulable: fieldAt(object, 'spec', 'unschedulable') === true,
    cordonedBy: textsAt(object, 'metadata', 'annotations')[cordonAnnotation],
    taints: listAt(object, 'spec', 'taints')
      .filter(isJsonObject)
      .map((taint) => ({
        key: textAt(taint, 'key') ?? '',
        value: textAt(taint, 'value'),
        effect: textAt(taint, 'effect') ?? '',
      })),
    internalIp: address('InternalIP'),
    externalIp: address('ExternalIP'),
    controlPlane: 'node-role.kubernetes.io/control-plane' in labels,
    labels,
  }
}

export interface NodeWait {
  readonly clock: Clock
  readonly withinMs: number
  readonly everyMs?: number
  readonly signal?: AbortSignal | undefined
  readonly onPending?: (reason: string) => void
}

/**
 * Waits until each of these nodes exists, is that of its own server, and is Ready. Throws `wait-timeout`
 * with the first that is not.
 */
export async function waitForNodesReady(
  client: KubernetesClient,
  nodes: readonly NodeOnServer[],
  wait: NodeWait,
): Promise<KubernetesNode[]> {
  const sentence =
    nodes.length === 1 ? `node ${nodes[0]?.name} to be Ready` : `${nodes.length} nodes to be Ready`
  return waitFor(sentence, async () => judgeNodes(await listNodes(client), nodes), {
    everyMs: 1_000,
    hint: 'Run `hcloud-talos doctor`, and look at the log of its kubelet with `hcloud-talos talos logs kubelet`.',
    ...wait,
  })
}

export interface HealthyNode extends NodeOnServer {
  /** Of the boot that it is in: what Kubernetes says of a boot before is not believed. */
  readonly bootId?: string | undefined
  /** `v1.36.3`: the kubelet that it is to run. */
  readonly kubeletVersion?: string | undefined
}

/**
 * Waits until a node is healthy: Ready or, where the pod network is not ours to bring (`network` false),
 * without any other fault. With `bootId` it must have reported since that boot, and with
 * `kubeletVersion` as that kubelet: a node that was away for less than a minute still counts as Ready.
 * Throws `wait-timeout`.
 */
export async function waitForNodeWell(
  client: KubernetesClient,
  wanted: HealthyNode,
  { network, ...wait }: NodeWait & { readonly network: boolean },
): Promise<void> {
  await waitFor(
    `node ${wanted.name} to be Ready${wanted.kubeletVersion ? ` with kubelet ${wanted.kubeletVersion}` : ''}`,
    async () => {
      try {
        const reason = unhealthyBecause(await getNode(client, wanted.name), wanted, network)
        return reason === undefined ? { done: undefined } : { pending: reason }
      } catch (error) {
        if (!isApiAway(error)) throw error
        return { pending: 'the Kubernetes API is away' }
      }
    },
    {
      everyMs: 1_000,
      hint: 'Run `hcloud-talos doctor`, and look at the log of its kubelet with `hcloud-talos talos logs kubelet`.',
      ...wait,
    },
  )
}

/** Why a node is not healthy; undefined where it is. */
export function unhealthyBecause(
  node: KubernetesNode | undefined,
  { name, serverId, bootId, kubeletVersion }: HealthyNode,
  network: boolean,
): string | undefined {
  if (!node) return `${name} has not joined`
  if (isOfOtherServer(node, serverId)) return otherServer(node)
  if (bootId !== undefined && node.bootId !== bootId)
    return `${name} has not reported since its boot`
  if (kubeletVersion !== undefined && node.kubeletVersion !== kubeletVersion) {
    return `${name} still runs kubelet ${node.kubeletVersion}`
  }
  if (node.ready || (!network && lacksOnlyNetwork(node))) return undefined
  return `${name} is not Ready: ${node.notReadyBecause}`
}

function judgeNodes(
  nodes: readonly KubernetesNode[],
  wanted: readonly NodeOnServer[],
): Checked<KubernetesNode[]> {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const found: KubernetesNode[] = []
  const waiting: string[] = []
  for (const { name, serverId } of wanted) {
    const node = byName.get(name)
    if (!node) waiting.push(`${name} has not joined yet`)
    else if (isOfOtherServer(node, serverId)) waiting.push(otherServer(node))
    else if (!node.ready) waiting.push(`${name} is not Ready: ${node.notReadyBecause}`)
    else found.push(node)
  }
  const [first] = waiting
  if (first === undefined) return { done: found }
  const others = waiting.length > 1 ? ` (and ${waiting.length - 1} more)` : ''
  return { pending: `${first}${others}` }
}

/** What stands there is no news of the node: it will be deleted, and its kubelet has to register again. */
function otherServer({ name, providerId }: KubernetesNode): string {
  return `${name} is known to Kubernetes as ${providerId}, which is not its server`
}

/**
 * Keeps new pods away from a node. `by` is written down, so that `uncordon` knows it as ours. A node
 * that somebody else cordoned stays theirs: nothing is changed and false is returned.
 */
export async function cordon(client: KubernetesClient, name: string, by: string): Promise<boolean> {
  const node = await getNode(client, name)
  if (node?.unschedulable) return node.cordonedBy !== undefined
  await client.patch(nodeRef(name), {
    metadata: { annotations: { [cordonAnnotation]: by } },
    spec: { unschedulable: true },
  })
  return true
}

/** Undoes a cordon of ours, of this run or of one before; leaves any other as it is and returns false. */
export async function uncordon(client: KubernetesClient, name: string): Promise<boolean> {
  const node = await getNode(client, name)
  if (node?.cordonedBy === undefined) return false
  await client.patch(nodeRef(name), {
    metadata: { annotations: { [cordonAnnotation]: null } },
    spec: { unschedulable: null },
  })
  return true
}

/** Takes our mark off a node that somebody else uncordoned: the next cordon is not ours by it. */
export async function clearStaleCordon(client: KubernetesClient, name: string): Promise<void> {
  await client.patch(nodeRef(name), { metadata: { annotations: { [cordonAnnotation]: null } } })
}

/** False when it was gone already. */
export async function deleteNode(client: KubernetesClient, name: string): Promise<boolean> {
  return client.delete(nodeRef(name))
}
