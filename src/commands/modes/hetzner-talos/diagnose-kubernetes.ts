import type { KubernetesClient } from '../../../kubernetes/kubernetes-client.ts'
import { isOfOtherServer } from '../../../kubernetes/node-server.ts'
import { type KubernetesNode, lacksOnlyNetwork, listNodes } from '../../../kubernetes/nodes.ts'
import { pendingRequests } from '../../../kubernetes/pending-requests.ts'
import { isClusterError } from '../../../lib/cluster-error.ts'
import type { ClusterNode } from '../../../plan/cluster-node.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import { isOlderVersion } from '../../../spec/tables/version-matrix.ts'
import { diagnoseCordon, diagnoseRequests } from '../doctor/diagnose-node-service.ts'
import type { Reached, ReachedNode } from './reach-nodes.ts'

export interface KubernetesLook {
  readonly reached: Reached
  /** Nodes whose servers run. */
  readonly nodes: readonly ReachedNode[]
  /** Cordons of ours that stay for now, each with the reason. */
  readonly kept: ReadonlyMap<string, string>
  readonly signal: AbortSignal
  readonly now: number
}

/** How long one API server may take to answer, in milliseconds. */
const answerWithinMs = 10_000

/** Every API server, and the nodes as Kubernetes sees them. */
export async function diagnoseKubernetes(look: KubernetesLook): Promise<Diagnosis[]> {
  const { reached, nodes, signal } = look
  if (!reached.view.generation?.inventory.bootstrapped) return []
  const controlPlanes = nodes.filter(({ role }) => role === 'control-plane')
  const balancer = reached.reach.decidedAddresses().loadBalancerPublicIp
  const servers = [
    ...controlPlanes.map(({ name, address }) => ({ name, address })),
    ...(balancer === undefined ? [] : [{ name: 'the load balancer', address: balancer }]),
  ]
  const answers = await Promise.all(servers.map((one) => askServer(reached, one, signal)))
  const heard = answers.flatMap((answer) => ('nodes' in answer ? [answer] : []))
  const silent = answers.flatMap((answer) => ('why' in answer ? [answer] : []))
  const [first] = heard
  if (!first) {
    return [
      problem(
        'kubernetes',
        'unknown',
        `no API server answers: ${silent[0]?.why ?? 'no control plane runs'}`,
        listAddress,
      ),
    ]
  }
  // A load balancer is reached where no control plane is: then the firewall keeps this machine from those.
  const isControlPlane = ({ name }: { readonly name: string }) =>
    controlPlanes.some((one) => one.name === name)
  const own = heard.filter(isControlPlane)
  const mute = silent.filter(isControlPlane)
  const found = [
    ...(own.length > 0 ? mute.map(serverFindingOf) : unseenFinding(mute)),
    ...nodeFindings(look, first.nodes),
    ...diagnoseRequests(reached.view.spec, first.pending, look.now),
  ]
  if (found.length > 0) return found
  return [
    passed('kubernetes', `${own.length} API servers answer, and the nodes are as they should be`),
  ]
}

const listAddress =
  'List the address of this machine in firewall.kubernetesApi, then run `hcloud-talos apply`.'

interface SilentServer {
  readonly name: string
  readonly why: string
}

function serverFindingOf({ name, why }: SilentServer): Diagnosis {
  const message = `the API server of ${name} does not answer: ${why}`
  return problem('kubernetes', 'bad', message, `hcloud-talos talos reboot --nodes ${name}`)
}

/** The load balancer answers as long as one of them does. */
function unseenFinding(servers: readonly SilentServer[]): Diagnosis[] {
  const [first] = servers
  if (!first) return []
  const names = servers.map(({ name }) => name).join(', ')
  const message = `the API servers of ${names} were reached through the load balancer only, and not looked at one by one: ${first.why}`
  return [problem('kubernetes', 'unknown', message, listAddress)]
}

async function askServer(
  { access }: Reached,
  server: { readonly name: string; readonly address: string },
  signal: AbortSignal,
) {
  const late = AbortSignal.timeout(answerWithinMs)
  let client: KubernetesClient | undefined
  try {
    client = access.kubernetesOf(server, AbortSignal.any([signal, late]))
    return { ...server, nodes: await listNodes(client), pending: await pendingRequests(client) }
  } catch (error) {
    signal.throwIfAborted()
    if (!late.aborted && !isClusterError(error)) throw error
    const why = late.aborted ? `no answer in ${answerWithinMs / 1_000} s` : messageOf(error)
    return { ...server, why }
  } finally {
    client?.close()
  }
}

function nodeFindings(look: KubernetesLook, known: readonly KubernetesNode[]): Diagnosis[] {
  const { reached, nodes } = look
  const byName = new Map(known.map((node) => [node.name, node]))
  const wanted = new Map(reached.view.nodes.map((node) => [node.name, node]))
  return nodes.flatMap((node) => {
    const seen = byName.get(node.name)
    if (!seen) {
      const message = `${node.name} runs, and Kubernetes does not know it`
      return [problem('kubernetes', 'bad', message, 'hcloud-talos apply')]
    }
    return [
      ...serverFinding(node, seen),
      ...readyFinding(look, seen, wanted.get(node.name)),
      ...versionFinding(look, seen),
      ...diagnoseCordon(seen, look.kept.get(node.name)),
    ]
  })
}

function serverFinding({ name, serverId }: ReachedNode, seen: KubernetesNode): Diagnosis[] {
  if (!isOfOtherServer(seen, serverId)) return []
  const message = `the Node ${name} is that of another server (${seen.providerId}, not hcloud://${serverId})`
  return [problem('kubernetes', 'bad', message, 'hcloud-talos apply')]
}

function readyFinding(
  { reached: { view } }: KubernetesLook,
  seen: KubernetesNode,
  wanted: ClusterNode | undefined,
): Diagnosis[] {
  const { name, ready, notReadyBecause } = seen
  // One that leaves, or whose network somebody else brings, need not be Ready.
  if (ready || !wanted || (view.spec.cni.type === 'none' && lacksOnlyNetwork(seen))) return []
  const message = `the Node ${name} is not Ready: ${notReadyBecause}`
  return [problem('kubernetes', 'bad', message, `hcloud-talos talos reboot --nodes ${name}`)]
}

/** Of one that is not up, Kubernetes still has what it ran before. */
function versionFinding({ reached: { view } }: KubernetesLook, seen: KubernetesNode): Diagnosis[] {
  const { name, talosVersion: runs } = seen
  const known = view.generation?.inventory.nodes.find((node) => node.name === name)
  const given = known?.talosVersion
  const isUp = seen.ready || lacksOnlyNetwork(seen)
  if (!isUp || !runs || !given || !isOlderVersion(runs, given)) return []
  const message = `${name} runs Talos ${runs}, and was given ${given}: somebody rolled it back`
  return [problem('kubernetes', 'bad', message, `hcloud-talos talos rollback --nodes ${name}`)]
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
