import { checkHealth } from '../../commands/talos/check-health.ts'
import { gatedReboot, lockForReboot } from '../../commands/talos/gated-reboot.ts'
import { reportInTurn } from '../../commands/talos/node-report.ts'
import { namedNodes } from '../../commands/talos/reached-cluster.ts'
import { rebootNode } from '../../commands/talos/reboot-node.ts'
import { resetNode } from '../../commands/talos/reset-node.ts'
import { ClusterError } from '../../lib/cluster-error.ts'
import { visibleLine } from '../../lib/visible-text.ts'
import { printData, showReports } from './show-reports.ts'
import type { TalosRequest } from './talos-request.ts'
import type { Verb } from './verb.ts'

/** Verbs about the cluster as a whole, and about nodes' lives. */
export const clusterVerbs = {
  health: {
    // The node asks itself for a kubeconfig on behalf of whoever asks it, and only an admin gets one.
    role: 'os:admin',
    async run({ cluster, terminal, options }) {
      const { waitTimeout = 300, output } = options
      const sentences = await checkHealth(cluster, {
        waitMs: waitTimeout * 1_000,
        tell: ({ sentence, isTrue, reason }) => {
          if (!isTrue) terminal.tell(visibleLine(`waiting for ${sentence}: ${reason}`))
          else if (output === 'table') terminal.print(`ok  ${visibleLine(sentence)}\n`)
        },
      })
      if (output !== 'table')
        printData(
          terminal,
          sentences.map(({ sentence }) => sentence),
          output,
        )
    },
  },
  reboot: {
    role: 'os:operator',
    question: (request) => `Reboot ${named(request)}?`,
    async run({ cluster, context, terminal, options }) {
      const { mode = 'default', wait = true, gate = true, output } = options
      const nodes = namedNodes(cluster)
      if (gate && !wait) throw waitsForGate()
      const gates = gate ? await lockForReboot(cluster, nodes) : undefined
      const reports = await reportInTurn(nodes, async (node) => {
        const onPending = (reason: string) => terminal.tell(`${node.name}: ${reason}`)
        if (gates) await gatedReboot(context, gates, node, mode)
        else await rebootNode(context, node, { mode, wait, onPending })
        const state = wait ? 'rebooted' : 'reboots'
        return { columns: ['STATE'], rows: [[state]], data: { state } }
      })
      showReports(terminal, reports, output)
    },
  },
  reset: {
    role: 'os:admin',
    question: (request) => {
      const what = (request.options.wipe ?? []).join(' and ')
      return `Wipe ${what} of ${named(request)}? What is on them is lost.`
    },
    async run({ cluster, terminal, options }) {
      const { graceful = true, reboot = true, wipe: partitions = [], output } = options
      const reports = await reportInTurn(namedNodes(cluster), async ({ api }) => {
        await resetNode(api, { graceful, reboot, partitions })
        return { columns: ['STATE'], rows: [['is being wiped']], data: { state: 'resetting' } }
      })
      showReports(terminal, reports, output)
    },
  },
} as const satisfies Record<string, Verb>

/** What a node takes to be in service again is seen by waiting for it. */
function waitsForGate(): ClusterError {
  return new ClusterError(
    'usage',
    '--no-wait leaves a node drained, and the next one is not held',
    {
      hint: 'Leave it out, or give --no-gate too: the node is then rebooted as it is, whatever runs on it.',
    },
  )
}

/** The nodes that the user named; nothing of this happens to others. Throws `usage`. */
function named({ options: { nodes } }: TalosRequest): string {
  if (nodes.length > 0) return nodes.join(', ')
  throw new ClusterError('usage', 'no node is named', { hint: 'Name it with --nodes.' })
}
