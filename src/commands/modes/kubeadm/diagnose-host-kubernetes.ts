import { type KubernetesNode, lacksOnlyNetwork, listNodes } from '../../../kubernetes/nodes.ts'
import { type PendingRequest, pendingRequests } from '../../../kubernetes/pending-requests.ts'
import { isClusterError } from '../../../lib/cluster-error.ts'
import { shapeFindings } from '../../../planner/kubeadm/cluster-findings.ts'
import type { HostsView } from '../../../planner/kubeadm/hosts-view.ts'
import { unregisteredNodes } from '../../../planner/kubeadm/unregistered-nodes.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import { HostsReach, type ReachedControlPlane } from '../../../run/kubeadm/hosts-reach.ts'
import type { RunContext } from '../../../run/run-context.ts'
import { diagnoseCordon, diagnoseRequests } from '../doctor/diagnose-node-service.ts'

export interface HostKubernetesLook {
  readonly context: RunContext
  readonly view: HostsView
  /** Control planes whose hosts are reached. */
  readonly controlPlanes: readonly ReachedControlPlane[]
  /** Cordons of ours that stay for now, each with the reason. */
  readonly kept: ReadonlyMap<string, string>
}

/** How long one API server may take to answer, in milliseconds. */
const answerWithinMs = 20_000

type Answer =
  | {
      readonly name: string
      readonly nodes: readonly KubernetesNode[]
      readonly pending: readonly PendingRequest[]
    }
  | { readonly name: string; readonly why: string }

/** The API server of every control plane that is reached, by its own host, and the nodes as Kubernetes sees them. */
export async function diagnoseHostKubernetes(look: HostKubernetesLook): Promise<Diagnosis[]> {
  const { view, controlPlanes } = look
  const answers = await Promise.all(controlPlanes.map((one) => askServer(look.context, one)))
  const heard = answers.flatMap((answer) => ('nodes' in answer ? [answer] : []))
  const silent = answers.flatMap((answer) => ('why' in answer ? [answer] : []))
  const [first] = heard
  const found = [
    ...silent.map(({ name, why }) =>
      problem(
        'kubernetes',
        'bad',
        `the API server of ${name} does not answer: ${why}`,
        `Look at it on ${name} (crictl ps -a, crictl logs); where it cannot be fixed there, run \`hcloud-talos apply --replace ${name}\`.`,
      ),
    ),
    ...(first ? nodeFindings(look, first) : [nodesUnseen]),
    ...shapeFindings(view)
      .filter(({ severity }) => severity === 'warning')
      .map(({ message, hint = 'hcloud-talos plan' }) =>
        problem('kubernetes', 'weak', message, hint),
      ),
  ]
  if (found.length > 0) return found
  return [
    passed('kubernetes', `${heard.length} API servers answer, and the nodes are as they should be`),
  ]
}

const nodesUnseen = problem(
  'kubernetes',
  'unknown',
  'the nodes were not looked at: no API server answers',
  'Bring a control plane back, then run `hcloud-talos doctor` again.',
)

async function askServer(context: RunContext, one: ReachedControlPlane): Promise<Answer> {
  const late = AbortSignal.timeout(answerWithinMs)
  using reach = new HostsReach(context)
  reach.use([one])
  try {
    const client = reach.kubernetesOnce(AbortSignal.any([context.signal, late]))
    const nodes = await listNodes(client)
    return { name: one.name, nodes, pending: await pendingRequests(client) }
  } catch (error) {
    context.signal.throwIfAborted()
    if (!late.aborted && !isClusterError(error)) throw error
    const why = late.aborted ? `no answer in ${answerWithinMs / 1_000} s` : messageOf(error)
    return { name: one.name, why }
  }
}

function nodeFindings(
  { view, kept, context }: HostKubernetesLook,
  { nodes, pending }: Extract<Answer, { nodes: unknown }>,
): Diagnosis[] {
  const unregistered = [...unregisteredNodes(view)].sort()
  const wanted = new Set(view.spec.hosts.map(({ name }) => name))
  return [
    ...unregistered.map((name) =>
      problem(
        'kubernetes',
        'bad',
        `${name} runs, and Kubernetes does not know it`,
        'hcloud-talos apply',
      ),
    ),
    // One that leaves need not be Ready.
    ...nodes
      .filter(({ name }) => wanted.has(name))
      .flatMap((node) => [
        ...readyFinding(view, node),
        ...diagnoseCordon(node, kept.get(node.name)),
      ]),
    ...diagnoseRequests(view.spec, pending, context.clock.now()),
  ]
}

/** One whose network somebody else brings need not be Ready for want of it. */
function readyFinding({ spec, hosts }: HostsView, node: KubernetesNode): Diagnosis[] {
  const { name, ready, notReadyBecause } = node
  if (ready || (spec.cni.type === 'none' && lacksOnlyNetwork(node))) return []
  const message = `the Node ${name} is not Ready: ${notReadyBecause}`
  const isReached = hosts.get(name)?.kind === 'seen'
  const fix = isReached
    ? `Look at the kubelet of ${name} (journalctl -u kubelet); where it cannot be fixed there, run \`hcloud-talos apply --replace ${name}\`.`
    : `Bring the host of ${name} back; where it is gone for good, remove it from hosts and run \`hcloud-talos apply\`.`
  return [problem('kubernetes', 'bad', message, fix)]
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
