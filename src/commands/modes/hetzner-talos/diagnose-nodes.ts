import { type ClusterError, isClusterError } from '../../../lib/cluster-error.ts'
import { type Diagnosis, passed, problem } from '../../../run/diagnosis.ts'
import { getMachineStatus } from '../../../talos/api/machine-status.ts'
import { isInMaintenance } from '../../../talos/is-in-maintenance.ts'
import { nodeHealth } from '../../../talos/node-health.ts'
import type { Reached, ReachedNode } from './reach-nodes.ts'

interface SilentNode {
  readonly node: ReachedNode
  readonly silence: ClusterError
  /** Whether it answers as a node without a machine config. */
  readonly isEmpty: boolean
}

type Answer = { readonly node: ReachedNode; readonly problems: readonly string[] } | SilentNode

/** How long a node may take to say whether it is in maintenance, in milliseconds. */
const answerWithinMs = 5_000

/** What the nodes that run say of themselves through their Talos API. */
export async function diagnoseNodes(
  { access }: Reached,
  nodes: readonly ReachedNode[],
  signal: AbortSignal,
): Promise<Diagnosis[]> {
  if (nodes.length === 0) return []
  const answers = await Promise.all(
    nodes.map(async (node): Promise<Answer> => {
      try {
        return { node, problems: await nodeProblems(access.talos(node.address), node) }
      } catch (error) {
        if (!isClusterError(error)) throw error
        const options = { timeoutMs: answerWithinMs, signal }
        return { node, silence: error, isEmpty: await isInMaintenance(node.address, options) }
      }
    }),
  )
  const silent = answers.filter((answer) => 'silence' in answer)
  const [first] = silent
  if (first && silent.length === answers.length && isAway(first.silence)) {
    return [
      problem(
        'nodes',
        'unknown',
        `no node answers on port 50000 (${first.silence.message}): they were not looked at`,
        'List the address of this machine in firewall.talosApi, then run `hcloud-talos apply`.',
      ),
    ]
  }
  const found = [
    ...silent.map(silenceProblem),
    ...answers.flatMap((answer) =>
      'problems' in answer
        ? answer.problems.map((message) =>
            problem('nodes', 'bad', `${answer.node.name}: ${message}`, reboot(answer.node)),
          )
        : [],
    ),
  ]
  if (found.length > 0) return found
  return [passed('nodes', `${answers.length} answer, and their components are healthy`)]
}

function silenceProblem({ node, silence, isEmpty }: SilentNode): Diagnosis {
  const replace = `hcloud-talos apply --replace ${node.name}`
  if (isEmpty) {
    const message = `${node.name} is in maintenance: it booted without a machine config, or with one that its Talos cannot read, and runs nothing`
    return problem('nodes', 'bad', message, replace)
  }
  if (isAway(silence)) {
    const message = `${node.name} does not answer, although its server runs: ${silence.message}`
    return problem('nodes', 'bad', message, replace)
  }
  const message = `[${silence.code}] ${silence.message}`
  return problem('nodes', 'bad', message, silence.hint ?? reboot(node))
}

/** Of etcd another look says more. */
async function nodeProblems(
  client: Parameters<typeof nodeHealth>[0],
  { name, role }: ReachedNode,
): Promise<string[]> {
  const status = await getMachineStatus(client)
  if (status && status.stage !== 'running') return [`it is ${status.stage}`]
  const { problems } = await nodeHealth(client, { name, isControlPlane: role === 'control-plane' })
  return problems
    .filter(({ component }) => component !== 'etcd')
    .map(({ component, reason }) => `${component} is not healthy: ${reason}`)
}

function reboot({ name }: ReachedNode): string {
  return `hcloud-talos talos reboot --nodes ${name}`
}

function isAway(error: unknown): boolean {
  return isClusterError(error, 'talos-unreachable')
}
