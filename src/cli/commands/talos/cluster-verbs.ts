import { readFile } from 'node:fs/promises'
import { checkHealth } from '../../../commands/talos/check-health.ts'
import { gatedBoot, gatedShutdown, lockToStop } from '../../../commands/talos/gated-reboot.ts'
import { reportInTurn } from '../../../commands/talos/node-report.ts'
import { patchNode } from '../../../commands/talos/patch-node.ts'
import { namedNodes, type ReachedNode } from '../../../commands/talos/reached-cluster.ts'
import { bootNode } from '../../../commands/talos/reboot-node.ts'
import type { TalosReport } from '../../../commands/talos/report.ts'
import { resetNode } from '../../../commands/talos/reset-node.ts'
import { ClusterError } from '../../../lib/cluster-error.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { visibleLine } from '../../../lib/visible-text.ts'
import { printData, showReports } from './show-reports.ts'
import type { TalosRequest } from './talos-request.ts'
import { firstArgument, type Verb, type VerbParts } from './verb.ts'

/** Verbs about the cluster as a whole, and about nodes' lives. */
export const clusterVerbs = {
  health: {
    // The node asks itself for a kubeconfig on behalf of whoever asks it, and only an admin gets one.
    role: 'os:admin',
    async run({ cluster, terminal, options }) {
      const { waitTimeout = 300, output = 'table' } = options
      const last = new Map<string, JsonObject>()
      try {
        await checkHealth(cluster, {
          waitMs: waitTimeout * 1_000,
          report: ({ sentence, isTrue: ok, reason }) => {
            last.set(sentence, { sentence, ok, ...(!ok && { reason }) })
            if (!ok) terminal.report(visibleLine(`waiting for ${sentence}: ${reason}`))
            else if (output === 'table') terminal.print(`ok  ${visibleLine(sentence)}\n`)
          },
        })
      } finally {
        // What is not so is of most interest when it fails.
        if (output !== 'table') printData(terminal, [...last.values()], output)
      }
    },
  },
  reboot: {
    role: 'os:operator',
    question: (request) => `Reboot ${named(request)}?`,
    run: (parts) => {
      const { mode = 'default' } = parts.options
      return bootInTurn(parts, 'reboot', ({ api }) => api.machine.reboot(mode))
    },
  },
  patch: {
    role: 'os:admin',
    question: (request) =>
      request.options.dryRun
        ? undefined
        : `Patch the machine config of ${named(request)}, past the cluster file?`,
    input: (request) => readPatch(firstArgument(request)),
    async run(parts) {
      const { cluster, terminal, options, input: text } = parts
      const { staged = false, dryRun = false, output } = options
      const source = firstArgument(parts)
      const nodes = namedNodes(cluster)
      const lock = dryRun ? undefined : await lockToStop(cluster, nodes, 'patch')
      const how = {
        mode: staged ? 'staged' : 'no-reboot',
        dryRun,
        requireLock: lock?.requireLock,
      } as const
      const reports = await reportInTurn(nodes, (node) => patchNode(node, { text, source }, how))
      showReports(terminal, reports, output)
    },
  },
  rollback: {
    role: 'os:admin',
    question: (request) => `Boot the Talos of before the last upgrade on ${named(request)}?`,
    run: (parts) => bootInTurn(parts, 'rollback', ({ api }) => api.machine.rollback()),
  },
  shutdown: {
    role: 'os:operator',
    question: (request) =>
      `Turn ${named(request)} off? It stays off, and drained, until the next apply turns it on.`,
    async run({ cluster, context, terminal, options: { gate = true, output } }) {
      const nodes = namedNodes(cluster)
      const gates = gate ? await lockToStop(cluster, nodes, 'shutdown') : undefined
      const reports = await reportInTurn(nodes, async (node) => {
        const stop = () => node.api.machine.shutdown()
        const title = `Turn ${node.name} off`
        if (gates) await gatedShutdown(context, gates, { node, title, stop })
        else await stop()
        return stateReport(gates ? 'off' : 'turns off')
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
        return stateReport('is being wiped', 'resetting')
      })
      showReports(terminal, reports, output)
    },
  },
} as const satisfies Record<string, Verb>

async function readPatch(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new ClusterError('usage', 'the patch cannot be read', {
      operation: 'read',
      target: path,
      hint: 'Name a file that holds the patch.',
      cause: error,
    })
  }
}

const states = {
  reboot: { title: 'Reboot', done: 'rebooted', begun: 'reboots' },
  rollback: { title: 'Roll back', done: 'rolled back', begun: 'rolls back' },
} as const

/** Has one node after the other reboot. */
async function bootInTurn(
  { cluster, context, terminal, options }: VerbParts,
  verb: keyof typeof states,
  stop: (node: ReachedNode) => Promise<unknown>,
): Promise<void> {
  const { wait = true, gate = true, output } = options
  const { title, done, begun } = states[verb]
  const nodes = namedNodes(cluster)
  if (gate && !wait) throw waitsForGate()
  const gates = gate ? await lockToStop(cluster, nodes, verb) : undefined
  const reports = await reportInTurn(nodes, async (node) => {
    const onPending = (reason: string) => terminal.report(`${node.name}: ${reason}`)
    const act = { node, title: `${title} ${node.name}`, stop: () => stop(node) }
    if (gates) await gatedBoot(context, gates, act)
    else await bootNode(context, node, { stop: act.stop, wait, onPending })
    return stateReport(wait ? done : begun)
  })
  showReports(terminal, reports, output)
}

function stateReport(state: string, data = state): TalosReport {
  return { columns: ['STATE'], rows: [[state]], data: { state: data } }
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

/** The nodes that the user named; nothing of this happens to others. Throws `usage`. */
function named({ options: { nodes } }: TalosRequest): string {
  if (nodes.length > 0) return nodes.join(', ')
  throw new ClusterError('usage', 'no node is named', { hint: 'Name it with --nodes.' })
}
