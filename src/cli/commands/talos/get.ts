import { visibleLine } from '../../../lib/visible-text.ts'
import { argument, flag, optionalArgument, text } from '../../setting.ts'
import { askNodes } from './ask-nodes.ts'
import { defineVerb } from './define-verb.ts'

export const get = defineVerb({
  name: 'get',
  description: 'resources of the nodes: `get rd` lists the kinds',
  prints: 'report',
  role: 'os:reader',
  takes: {
    namespace: text('--namespace <namespace>', "another namespace than the kind's own"),
    watch: flag('-w, --watch', 'continue with what becomes of them'),
    kind: argument('<kind>'),
    id: optionalArgument('[id]'),
  },
  async run(parts, { kind, id, namespace, watch, output }) {
    const { resourceReport, watchResources } = await import(
      '../../../commands/talos/resource-report.ts'
    )
    const request = { kind, id, namespace }
    if (!watch) return askNodes(parts, output, (_, node) => resourceReport(node, request))
    const { followEach } = await import('../../../commands/talos/follow-each.ts')
    const { showItems } = await import('./show-items.ts')
    const show = showItems(parts, output)
    await followEach(
      parts.cluster.nodes,
      (_, node) => watchResources(node, request),
      (node, { sign, row, data: resource }) =>
        show(node, visibleLine([sign, ...row].join('  ')), { sign, resource }),
    )
  },
})
