import { gatedBoot, lockToStop } from '../../../commands/talos/gated-reboot.ts'
import { reportInTurn } from '../../../commands/talos/node-report.ts'
import { namedNodes, type ReachedNode } from '../../../commands/talos/reached-cluster.ts'
import { bootNode } from '../../../commands/talos/reboot-node.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import type { VerbParts } from './define-verb.ts'
import { showReports } from './show-reports.ts'
import { stateReport } from './state-report.ts'
import type { OutputFormat } from './verb-settings.ts'

const states = {
  reboot: { title: 'Reboot', done: 'rebooted', begun: 'reboots' },
  rollback: { title: 'Roll back', done: 'rolled back', begun: 'rolls back' },
} as const

/** How nodes are stopped. */
interface BootOptions {
  readonly wait: boolean
  readonly gate: boolean
  readonly output?: OutputFormat
}

/** What else is done with each of them. */
interface Around {
  /** Before any is stopped: one that it throws for leaves all of them alone. */
  readonly check?: (node: ReachedNode) => Promise<void>
  /** Once it is back, where that is waited for. */
  readonly after?: (node: ReachedNode) => Promise<void>
}

/** Has one node after the other reboot, once nothing forbids it for any of them. */
export async function bootInTurn(
  { cluster, context, terminal }: VerbParts,
  verb: keyof typeof states,
  { wait, gate, output }: BootOptions,
  stop: (node: ReachedNode) => Promise<unknown>,
  { check, after }: Around = {},
): Promise<void> {
  const { title, done, begun } = states[verb]
  const nodes = namedNodes(cluster)
  if (gate && !wait) throw waitsForGate()
  const gates = gate ? await lockToStop(cluster, nodes, verb) : undefined
  if (check) await Promise.all(nodes.map(check))
  const reports = await reportInTurn(nodes, async (node) => {
    const onPending = (reason: string) => terminal.report(`${node.name}: ${reason}`)
    const act = { node, title: `${title} ${node.name}`, stop: () => stop(node) }
    if (gates) await gatedBoot(context, gates, act)
    else await bootNode(context, node, { stop: act.stop, wait, onPending })
    if (wait) await after?.(node)
    return stateReport(wait ? done : begun)
  })
  showReports(terminal, reports, output)
}

/** What a node takes to be in service again is seen by waiting for it. */
function waitsForGate(): ClusterError {
  return new ClusterError(
    'usage',
    '--no-wait leaves a node drained, and the next one is not held',
    {
      hint: 'Leave it out, or give --no-gate too: the node is then stopped as it is, whatever runs on it.',
    },
  )
}
