import { eventFacts } from '../../commands/talos/event-facts.ts'
import { followEach } from '../../commands/talos/follow-each.ts'
import { reportOfEach } from '../../commands/talos/node-report.ts'
import { resourceReport, watchResources } from '../../commands/talos/resource-report.ts'
import { textLines } from '../../commands/talos/text-lines.ts'
import { visibleLine } from '../../lib/visible-text.ts'
import { showReports } from './show-reports.ts'
import { firstArgument, type Verb, type VerbParts } from './verb.ts'

const forever = { timeoutMs: Number.POSITIVE_INFINITY }

/** Prints a line, and whose it is where several nodes speak. */
function printer({ cluster, terminal }: VerbParts): (node: string, line: string) => void {
  const several = cluster.nodes.length > 1
  return (node, line) => terminal.print(`${several ? `${node}: ` : ''}${line}\n`)
}

/** Verbs whose answer comes line by line. */
export const streamVerbs = {
  logs: {
    role: 'os:reader',
    async run(parts) {
      const { follow = false, tail, kubernetes } = parts.options
      const log = { follow, tailLines: tail, space: kubernetes ? 'k8s.io' : 'system' } as const
      await followEach(
        parts.cluster.nodes,
        ({ machine }) => textLines(machine.logs(firstArgument(parts), log, forever)),
        printer(parts),
      )
    },
  },
  dmesg: {
    role: 'os:reader',
    async run(parts) {
      const { follow = false, onlyNew: tail = false } = parts.options
      await followEach(
        parts.cluster.nodes,
        ({ machine }) => textLines(machine.dmesg({ follow, tail }, forever)),
        printer(parts),
      )
    },
  },
  events: {
    role: 'os:reader',
    async run(parts) {
      const { tail: tailEvents = 0, duration, actorId: withActorId = '', output } = parts.options
      const stop = duration === undefined ? undefined : AbortSignal.timeout(duration * 1_000)
      const print = printer(parts)
      await followEach(
        parts.cluster.nodes,
        ({ machine }) => machine.events({ tailEvents, withActorId }, { ...forever, signal: stop }),
        (node, event) => {
          const facts = eventFacts(event)
          if (!facts) return
          const { id, actor, type, data } = facts
          const text = JSON.stringify(data)
          if (output === 'table')
            print(node, visibleLine([id, type, actor, text].filter(Boolean).join('  ')))
          else parts.terminal.print(`${JSON.stringify({ node, id, actor, type, data })}\n`)
        },
        stop,
      )
    },
  },
  get: {
    role: 'os:reader',
    async run(parts) {
      const { args, options, cluster, terminal } = parts
      const request = { kind: firstArgument(parts), id: args[1], namespace: options.namespace }
      if (!options.watch) {
        const reports = await reportOfEach(cluster.nodes, (_, node) =>
          resourceReport(node, request),
        )
        showReports(terminal, reports, options.output)
        return
      }
      const print = printer(parts)
      await followEach(
        cluster.nodes,
        (_, node) => watchResources(node, request),
        (node, { sign, row, data }) => {
          if (options.output === 'table') print(node, visibleLine([sign, ...row].join('  ')))
          else terminal.print(`${JSON.stringify({ node, sign, resource: data })}\n`)
        },
      )
    },
  },
} as const satisfies Record<string, Verb>
