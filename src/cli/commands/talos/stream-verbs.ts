import { eventFacts } from '../../../commands/talos/event-facts.ts'
import { followEach } from '../../../commands/talos/follow-each.ts'
import { reportOfEach } from '../../../commands/talos/node-report.ts'
import { resourceReport, watchResources } from '../../../commands/talos/resource-report.ts'
import { textLines } from '../../../commands/talos/text-lines.ts'
import { visibleLine } from '../../../lib/visible-text.ts'
import { showItems } from './show-items.ts'
import { showReports } from './show-reports.ts'
import { firstArgument, type Verb } from './verb.ts'

const forever = { timeoutMs: Number.POSITIVE_INFINITY }

/** Verbs whose answer comes item by item. */
export const streamVerbs = {
  logs: {
    role: 'os:reader',
    async run(parts) {
      const { follow = false, tail, kubernetes } = parts.options
      const log = { follow, tailLines: tail, space: kubernetes ? 'k8s.io' : 'system' } as const
      const show = showItems(parts)
      await followEach(
        parts.cluster.nodes,
        ({ machine }) => textLines(machine.logs(firstArgument(parts), log, forever)),
        (node, line) => show(node, line, { line }),
      )
    },
  },
  dmesg: {
    role: 'os:reader',
    async run(parts) {
      const { follow = false, onlyNew: tail = false } = parts.options
      const show = showItems(parts)
      await followEach(
        parts.cluster.nodes,
        ({ machine }) => textLines(machine.dmesg({ follow, tail }, forever)),
        (node, line) => show(node, line, { line }),
      )
    },
  },
  events: {
    role: 'os:reader',
    async run(parts) {
      const { tail: tailEvents = 0, duration, actorId: withActorId = '' } = parts.options
      const stop = duration === undefined ? undefined : AbortSignal.timeout(duration * 1_000)
      const show = showItems(parts)
      await followEach(
        parts.cluster.nodes,
        ({ machine }) => machine.events({ tailEvents, withActorId }, { ...forever, signal: stop }),
        (node, event) => {
          const facts = eventFacts(event)
          if (!facts) return
          const { id, actor, type, data } = facts
          const line = [id, type, actor, JSON.stringify(data)].filter(Boolean).join('  ')
          show(node, visibleLine(line), { id, actor, type, data })
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
      const show = showItems(parts)
      await followEach(
        cluster.nodes,
        (_, node) => watchResources(node, request),
        (node, { sign, row, data: resource }) =>
          show(node, visibleLine([sign, ...row].join('  ')), { sign, resource }),
      )
    },
  },
} as const satisfies Record<string, Verb>
