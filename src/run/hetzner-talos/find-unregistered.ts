import { isOfOtherServer } from '../../kubernetes/node-server.ts'
import { type KubernetesNode, lacksOnlyNetwork, listNodes } from '../../kubernetes/nodes.ts'
import { isClusterError } from '../../lib/cluster-error.ts'
import type { ClusterNode } from '../../plan/cluster-node.ts'
import type { NodeVersions } from '../../planner/hetzner-talos/cluster-view.ts'
import { talosApi } from '../../talos/api/talos-api.ts'
import type { ClusterReach } from './cluster-reach.ts'

/** What Kubernetes says of the nodes. */
interface Registered {
  readonly unregistered: ReadonlySet<string>
  readonly versions: ReadonlyMap<string, NodeVersions>
  /** Nodes that runs of ours have cordoned, each with the run. */
  readonly cordoned: ReadonlyMap<string, string>
}

/** How long Kubernetes may take to answer, in milliseconds: where nobody lets us in, a plan waits for that long. */
const listWithinMs = 10_000

/** How long a node may take to answer then. */
const answerWithinMs = 5_000

/**
 * Those of these nodes that run a kubelet and that Kubernetes does not know, or knows by another server's
 * provider id: somebody deleted their Nodes, or a kubelet took over that of a former server. A kubelet makes
 * its Node only when it starts. None where Kubernetes cannot be asked now: unknown is not absent.
 */
export async function findUnregistered(
  reach: ClusterReach,
  nodes: readonly ClusterNode[],
  signal: AbortSignal,
): Promise<Registered> {
  const known = await knownNodes(reach, signal)
  if (!known) return { unregistered: new Set(), versions: new Map(), cordoned: new Map() }
  const missing = nodes.filter(({ name }) => {
    const node = known.get(name)
    return !node || isOfOtherServer(node, reach.addresses.factsOf(name)?.serverId)
  })
  const running = await Promise.all(missing.map(({ name }) => runsKubelet(reach, name)))
  return {
    unregistered: new Set(missing.flatMap(({ name }, index) => (running[index] ? [name] : []))),
    versions: new Map(
      [...known.values()].map((node) => {
        const { name, talosVersion, kubeletVersion, ready: isReady, notReadyBecause } = node
        const isUp = node.ready || lacksOnlyNetwork(node)
        const isCurrent = isUp && !missing.some((one) => one.name === name)
        const versions = { talos: talosVersion, kubelet: kubeletVersion }
        return [name, { isCurrent, ...versions, isReady, notReadyBecause }]
      }),
    ),
    cordoned: new Map(
      [...known.values()].flatMap(({ name, unschedulable, cordonedBy }) =>
        unschedulable && cordonedBy !== undefined ? [[name, cordonedBy]] : [],
      ),
    ),
  }
}

async function knownNodes(
  reach: ClusterReach,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, KubernetesNode> | undefined> {
  const late = AbortSignal.timeout(listWithinMs)
  try {
    const access = await reach.access()
    const client = access.kubernetesOnce(reach.controlPlanes(), AbortSignal.any([signal, late]))
    return new Map((await listNodes(client)).map((node) => [node.name, node]))
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted || isClusterError(error)) return undefined
    throw error
  }
}

async function runsKubelet(reach: ClusterReach, name: string): Promise<boolean> {
  try {
    const access = await reach.access()
    const client = access.talos(reach.addresses.of(name).address)
    const timeoutMs = answerWithinMs
    const { services } = await talosApi(client).machine.serviceList({ timeoutMs })
    return services.some(({ id, state }) => id === 'kubelet' && state === 'Running')
  } catch (error) {
    if (!isClusterError(error)) throw error
    return false
  }
}
