import { yesSetting } from '../../cluster-settings.ts'
import { defineVerb } from './define-verb.ts'
import { requireNamed } from './require-named.ts'
import { stateReport } from './state-report.ts'
import { gateSetting } from './verb-settings.ts'

export const shutdown = defineVerb({
  name: 'shutdown',
  description: 'drain nodes and turn them off, through the same gate',
  prints: 'report',
  role: 'os:operator',
  takes: { gate: gateSetting(), yes: yesSetting() },
  question: ({ nodes }) =>
    `Turn ${requireNamed(nodes)} off? It stays off, and drained, until the next apply turns it on.`,
  async run({ cluster, context, terminal }, { gate, output }) {
    const { gatedShutdown, lockToStop } = await import('../../../commands/talos/gated-reboot.ts')
    const { reportInTurn } = await import('../../../commands/talos/node-report.ts')
    const { namedNodes } = await import('../../../commands/talos/reached-cluster.ts')
    const { showReports } = await import('./show-reports.ts')
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
})
